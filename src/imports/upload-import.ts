import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  UploadImportRequest,
  UploadImportResponseSchema,
} from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import type { Call } from '../clients/call.ts';
import type { Clock } from '../kernel/time/clock.ts';
import { badRequest, DomainError } from '../kernel/errors/domain-error.ts';
import { newId, parseId } from '../kernel/ids.ts';
import { sentence } from '../kernel/sentence.ts';
import type { Database } from '../persistence/database.ts';
import { toImportMessage } from './csv-import.ts';
import { type ImportQuota, requireRoomForBytes } from './import-quota.ts';
import { requireImport } from './imports.queries.ts';
import { beginUpload, completeFile, emptyFile, storePiece, type Upload } from './staged-files.queries.ts';

/** Bytes per piece: few enough to hold in memory with their rows, enough to make a round trip per piece cheap. */
const PIECE = 131_072;

/** The most bytes of a file: ten million rows of 400 bytes. */
const FILE_MAX = 4_294_967_296;

/** Stores a file, or a part of one, as its bytes arrive: proto ImportAdminService.UploadImport. */
export async function uploadImport(
  { db, principal: { clientId }, clock }: Call,
  requests: AsyncIterable<UploadImportRequest>,
  quota: ImportQuota,
): Promise<MessageInitShape<typeof UploadImportResponseSchema>> {
  const messages = requests[Symbol.asyncIterator]();
  const first = (await messages.next()).value as UploadImportRequest | undefined;
  const importId = parseId(first?.id ?? '');
  if (first === undefined || importId === undefined)
    throw badRequest('The first message must name the import: a UUID.');
  const upload = await begin(db, clientId, { importId, offset: first.offset }, clock);

  let position = first.offset;
  for await (const data of piecesOf(first, messages)) {
    if (position + data.length > FILE_MAX) throw tooLarge();
    const piece = { position, data, now: clock() };
    const stored = await db.unitOfWork(clientId, async (uow) => {
      await requireRoomForBytes(uow, quota, data.length);
      return storePiece(uow, upload, piece);
    });
    if (!stored) throw superseded();
    position += data.length;
  }
  return db.unitOfWork(clientId, async (uow) => {
    if (!first.more && !(await completeFile(uow, upload))) throw superseded();
    return { import: toImportMessage(await requireImport(uow, importId)) };
  });
}

async function begin(
  db: Database,
  clientId: string,
  { importId, offset }: { readonly importId: string; readonly offset: number },
  clock: Clock,
): Promise<Upload> {
  const upload = { importId, upload: newId() };
  await db.unitOfWork(clientId, async (uow) => {
    const { status, bytes } = await requireImport(uow, importId, { forChange: true });
    if (status !== 'UPLOADING') throw notUploading(status);
    if (offset === 0 && bytes > 0) await emptyFile(uow, importId);
    else if (offset !== bytes) throw offsetMismatch(offset, bytes);
    await beginUpload(uow, upload, clock());
  });
  return upload;
}

/** The bytes of all messages in pieces of equal size; only the last may be smaller. */
async function* piecesOf(
  first: UploadImportRequest,
  messages: AsyncIterator<UploadImportRequest>,
): AsyncIterable<Buffer> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for (let message: UploadImportRequest | undefined = first; message !== undefined;) {
    parts.push(message.data);
    length += message.data.length;
    if (length >= PIECE) {
      const gathered = Buffer.concat(parts);
      const whole = length - (length % PIECE);
      for (let at = 0; at < whole; at += PIECE) yield gathered.subarray(at, at + PIECE);
      // A copy, so that the few remaining bytes do not keep the whole buffer in memory.
      parts = [Buffer.from(gathered.subarray(whole))];
      length -= whole;
    }
    const next = await messages.next();
    message = next.done ? undefined : next.value;
  }
  if (length > 0) yield Buffer.concat(parts);
}

function notUploading(status: string): DomainError {
  return new DomainError(
    'IMPORT_NOT_UPLOADING',
    sentence`The import takes no more bytes: it is ${status}. Create another for another file.`,
  );
}

function offsetMismatch(offset: number, bytes: number): DomainError {
  return new DomainError(
    'UPLOAD_OFFSET_MISMATCH',
    sentence`${bytes} bytes are stored, so the next part begins at offset ${bytes}, not ${offset}. Offset 0 begins again.`,
  );
}

function superseded(): DomainError {
  return new DomainError(
    'UPLOAD_OFFSET_MISMATCH',
    'Another upload of this import has begun, or the import was cancelled. Read it, and continue at its `bytes`.',
  );
}

function tooLarge(): DomainError {
  return new DomainError('IMPORT_TOO_LARGE', 'A file may have at most 4 GiB. Split it, with its header.');
}
