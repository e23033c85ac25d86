import { useSyncExternalStore } from 'react';
import type { SessionKeeper } from '../../session/session-keeper.ts';
import { uploadFile } from './upload-file.ts';

/** The progress of an upload of this tab. */
export type UploadState = {
  readonly sent: number;
  readonly size: number;
  /** The reason for which it stopped; undefined while it runs. */
  readonly failure: unknown;
};

const uploads = new Map<string, UploadState>();
const listeners = new Set<() => void>();

/** Starts or continues sending a file. It continues while the person looks at other pages of the console. */
export async function startUpload(
  keeper: SessionKeeper,
  target: { readonly id: string; readonly uploadPath: string; readonly bytes: number },
  file: File,
): Promise<void> {
  const { id, uploadPath, bytes } = target;
  const setState = (state: UploadState | undefined) => set(id, state);
  setState({ sent: bytes, size: file.size, failure: undefined });
  try {
    await uploadFile(keeper, {
      importId: id,
      path: uploadPath,
      file,
      from: bytes,
      onProgress: (sent) => setState({ sent, size: file.size, failure: undefined }),
    });
    setState(undefined);
  } catch (failure) {
    setState({ sent: uploads.get(id)?.sent ?? bytes, size: file.size, failure });
  }
}

/** The upload of an import in this tab; undefined if there is none. */
export function useUpload(id: string): UploadState | undefined {
  return useSyncExternalStore(subscribe, () => uploads.get(id));
}

function set(id: string, state: UploadState | undefined): void {
  if (state === undefined) uploads.delete(id);
  else uploads.set(id, state);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Closing the tab would end a running upload; the browser asks in its own words.
window.addEventListener('beforeunload', (event) => {
  if ([...uploads.values()].some(({ failure }) => failure === undefined)) event.preventDefault();
});
