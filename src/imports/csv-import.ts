import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Import_Status, Import_Type, type ImportSchema } from '../../gen/laurel/admin/v1/import_pb.ts';

export type ImportType = 'ACCOUNTS' | 'PRODUCT_CODES';
export type ImportStatus = 'UPLOADING' | 'QUEUED' | 'RUNNING' | 'DONE' | 'FAILED' | 'CANCELLED';

/** The numbers of rows by outcome. */
export type RowCounts = {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
};

/** A file to load, with its job. */
export type CsvImport = {
  readonly id: string;
  readonly type: ImportType;
  readonly status: ImportStatus;
  readonly fileName: string;
  readonly audienceId: string | undefined;
  readonly productId: string | undefined;
  readonly itemId: string | undefined;
  readonly bytes: number;
  /** The cursor: the first byte that no committed batch has processed, and its line. */
  readonly position: number;
  readonly line: number;
  readonly rowsTotal: number | undefined;
  readonly rows: RowCounts;
  readonly error: string | undefined;
  readonly createdAt: Date;
  readonly startedAt: Date | undefined;
  readonly waitingSince: Date | undefined;
  readonly finishedAt: Date | undefined;
};

/** The import as the API shows it. */
export function toImportMessage(each: CsvImport): MessageInitShape<typeof ImportSchema> {
  const { created, updated, unchanged, refused } = each.rows;
  return {
    id: each.id,
    type: Import_Type[each.type],
    status: Import_Status[each.status],
    fileName: each.fileName,
    audienceId: each.audienceId,
    productId: each.productId,
    itemId: each.itemId,
    uploadPath: `/admin/imports/${each.id}/content`,
    bytes: each.bytes,
    rowsTotal: each.rowsTotal,
    rowsRead: created + updated + unchanged + refused,
    rowsCreated: created,
    rowsUpdated: updated,
    rowsUnchanged: unchanged,
    rowsRefused: refused,
    error: each.error,
    createdAt: timestampFromDate(each.createdAt),
    startedAt: each.startedAt && timestampFromDate(each.startedAt),
    waitingSince: each.waitingSince && timestampFromDate(each.waitingSince),
    finishedAt: each.finishedAt && timestampFromDate(each.finishedAt),
  };
}
