import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Import_Status, Import_Type, type ImportSchema } from '../../gen/laurel/admin/v1/import_pb.ts';
import { Backfill_Rewards } from '../../gen/laurel/v1/trigger_pb.ts';
import type { BackfillRewards } from '../triggers/backfill/backfill-rewards.ts';
import { type BackfillSummary, toSummaryMessage } from '../triggers/backfill/backfill-summary.ts';

export const IMPORT_TYPES = ['ACCOUNTS', 'PRODUCT_CODES', 'EVENTS', 'STATISTICS'] as const;
export type ImportType = (typeof IMPORT_TYPES)[number];

export const IMPORT_STATUSES = [
  'UPLOADING',
  'QUEUED',
  'RUNNING',
  'DONE',
  'FAILED',
  'CANCELLED',
  'REVERSING',
  'REVERSED',
] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** The numbers of rows by outcome. */
export type RowCounts = {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
};

/** How the events of a file are applied. */
export type EventOptions = { readonly rewards: BackfillRewards; readonly webhooks: boolean; readonly dryRun: boolean };

/** A file to load, with its job. */
export type CsvImport = {
  readonly id: string;
  readonly type: ImportType;
  readonly status: ImportStatus;
  readonly fileName: string;
  readonly audienceId: string | undefined;
  readonly productId: string | undefined;
  readonly itemId: string | undefined;
  /** Undefined but for EVENTS. */
  readonly events: EventOptions | undefined;
  readonly bytes: number;
  /** The cursor: the first byte that no committed batch has processed, and its line. */
  readonly position: number;
  readonly line: number;
  readonly rowsTotal: number | undefined;
  readonly rows: RowCounts;
  /** EVENTS: whether the whole file was read. */
  readonly isStaged: boolean;
  /** EVENTS: what the applied events come to; undefined before the first. */
  readonly summary: BackfillSummary | undefined;
  readonly rowsReversed: number;
  readonly reversalReason: string | undefined;
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
    ...(each.events && { ...each.events, rewards: Backfill_Rewards[each.events.rewards] }),
    summary: each.summary && toSummaryMessage(each.summary),
    rowsReversed: each.type === 'EVENTS' ? each.rowsReversed : undefined,
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
