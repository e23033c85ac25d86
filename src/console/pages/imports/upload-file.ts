import { callRest } from '../../api/rest.ts';
import { failureOf } from '../../api/failure.ts';
import type { SessionKeeper } from '../../session/session-keeper.ts';

/** A file on its way into an import. */
export type FileUpload = {
  readonly importId: string;
  /** The documented path that takes its bytes. */
  readonly path: string;
  readonly file: Blob;
  /** Where to begin: as many bytes as the service has. */
  readonly from: number;
  /** Called with the number of bytes that the service has. */
  readonly onProgress: (bytes: number) => void;
};

/** Bytes of one part: sent well within the half minute that the service waits for a body, also by slow lines. */
const PART = 4 * 1024 * 1024;

/** Times that a part is tried again after the connection broke. */
const RETRIES = 5;

/** Milliseconds before a part is tried again; each time twice as long. */
const PAUSE = 1_000;

/** Sends a file in parts. After a broken connection it continues at the service's position. */
export async function uploadFile(keeper: SessionKeeper, upload: FileUpload): Promise<void> {
  const { file } = upload;
  let offset = upload.from;
  let failures = 0;
  do {
    const end = Math.min(offset + PART, file.size);
    try {
      const query = new URLSearchParams({ offset: String(offset), more: String(end < file.size) });
      await callRest(keeper, `${upload.path}?${query}`, { method: 'PUT', body: file.slice(offset, end) });
      offset = end;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures > RETRIES || !isPassing(error)) throw error;
      await pause(PAUSE * 2 ** (failures - 1));
      offset = await storedBytes(keeper, upload).catch(() => offset);
    }
    upload.onProgress(offset);
  } while (offset < file.size);
}

/** No answer came, or another part was stored than this page thought. */
function isPassing(error: unknown): boolean {
  const { code } = failureOf(error);
  return code === 'UNREACHABLE' || code === 'UPLOAD_OFFSET_MISMATCH';
}

async function storedBytes(keeper: SessionKeeper, { importId }: FileUpload): Promise<number> {
  const response = await callRest(keeper, `/admin/imports/${importId}`);
  const { bytes } = (await response.json()) as { readonly bytes: number };
  return bytes;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
