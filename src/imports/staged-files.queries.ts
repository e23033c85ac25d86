import type { Database, UnitOfWork } from '../persistence/database.ts';

/** The identity of an upload to a file; only the latest upload may add bytes. */
export type Upload = { readonly importId: string; readonly upload: string };

/** Makes `upload` the only upload that may add to the file, from its present end. */
export async function beginUpload(uow: UnitOfWork, { importId, upload }: Upload, now: Date): Promise<void> {
  await uow.query(`update csv_import set upload = $3, uploaded_at = $4 where client_id = $1 and id = $2`, [
    uow.clientId,
    importId,
    upload,
    now,
  ]);
}

/** Deletes the stored bytes of a file whose upload begins again. */
export async function emptyFile(uow: UnitOfWork, importId: string): Promise<void> {
  await uow.query(`update csv_import set bytes = 0 where client_id = $1 and id = $2`, [uow.clientId, importId]);
  await uow.query(`delete from csv_import_chunk where client_id = $1 and import_id = $2`, [uow.clientId, importId]);
}

/** Stores a piece that begins at `position`. False if this upload may not add to the file any more. */
export async function storePiece(
  uow: UnitOfWork,
  { importId, upload }: Upload,
  { position, data, now }: { readonly position: number; readonly data: Buffer; readonly now: Date },
): Promise<boolean> {
  const rows = await uow.query(
    `update csv_import set bytes = bytes + $5, uploaded_at = $6
      where client_id = $1 and id = $2 and upload = $3 and bytes = $4 and status = 'UPLOADING' returning id`,
    [uow.clientId, importId, upload, position, data.length, now],
  );
  if (rows.length === 0) return false;
  await uow.query(`insert into csv_import_chunk (client_id, import_id, position, data) values ($1, $2, $3, $4)`, [
    uow.clientId,
    importId,
    position,
    data,
  ]);
  return true;
}

/** Adds an import with a complete file to the queue. False if this upload may not do so any more. */
export async function completeFile(uow: UnitOfWork, { importId, upload }: Upload): Promise<boolean> {
  const rows = await uow.query(
    `update csv_import set status = 'QUEUED', upload = null
      where client_id = $1 and id = $2 and upload = $3 and status = 'UPLOADING' returning id`,
    [uow.clientId, importId, upload],
  );
  return rows.length > 0;
}

/** The bytes of a file from `position` on, with one piece in memory at a time and no open transaction between pieces. */
export async function* fileFrom(
  db: Database,
  clientId: string,
  importId: string,
  position: number,
): AsyncIterable<Buffer> {
  for (let at = position; ;) {
    const piece = await db.unitOfWork(clientId, (uow) => pieceAt(uow, importId, at));
    if (piece === undefined) return;
    yield piece;
    at += piece.length;
  }
}

/** The rest of the piece that contains a byte; undefined at the end of the file. */
async function pieceAt(uow: UnitOfWork, importId: string, position: number): Promise<Buffer | undefined> {
  const [piece] = await uow.query<{ position: string; data: Buffer }>(
    `select position, data from csv_import_chunk
      where client_id = $1 and import_id = $2 and position <= $3 order by position desc limit 1`,
    [uow.clientId, importId, position],
  );
  const rest = piece?.data.subarray(position - Number(piece.position));
  return rest === undefined || rest.length === 0 ? undefined : rest;
}

/** Pieces per deleting transaction: 32 MiB. */
const DELETED_AT_ONCE = 256;

/** Deletes the pieces of an ended import, and returns their number. */
export async function deleteFile(db: Database, clientId: string, importId: string): Promise<number> {
  let total = 0;
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; total += deleted) {
    deleted = await db.unitOfWork(clientId, (uow) => deletePieces(uow, importId));
  }
  return total;
}

async function deletePieces(uow: UnitOfWork, importId: string): Promise<number> {
  const rows = await uow.query(
    `delete from csv_import_chunk
      where client_id = $1 and import_id = $2 and position in (
        select position from csv_import_chunk where client_id = $1 and import_id = $2 order by position limit $3)
     returning position`,
    [uow.clientId, importId, DELETED_AT_ONCE],
  );
  return rows.length;
}
