import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { UnitOfWork } from '../database.ts';

/** The subject of an export or an erasure: one account of the unit of work's client. */
export type Subject = {
  readonly accountId: string;
  /** The external id; undefined without one, also after its removal. */
  readonly externalId?: string | undefined;
};

/** A page of the data about an account. */
export type PartPage = {
  readonly rows: readonly JsonObject[];
  /** The position after the page, for the next one; undefined at the end. */
  readonly next?: string | undefined;
};

/**
 * The effect of an erasure on a part.
 *
 * - `atOnce`: `erase` runs in the transaction that erases the account, which is locked: no later row can follow. Use: rows that an
 *   index finds.
 * - `swept`: `sweep` reads a bounded number of rows after `after` (from the first without it) and returns the position to continue from,
 *   or undefined at the end. It runs twice, minutes apart, so that it finds rows of transactions in progress. Use: rows that no index
 *   finds by the account.
 * - `stays`: the data is anonymous, or is deleted at another time; `why` has the reason.
 */
export type Erasure =
  | {
      readonly kind: 'atOnce';
      /** Whether writers lock such rows before the account. */
      readonly beforeHeld?: boolean;
      readonly erase: (uow: UnitOfWork, subject: Subject) => Promise<void>;
    }
  | {
      readonly kind: 'swept';
      readonly sweep: (uow: UnitOfWork, accountId: string, after?: string) => Promise<string | undefined>;
    }
  | { readonly kind: 'stays'; readonly why: string };

/** Two accounts that become one: `from` becomes an alias of `into`. Both are locked for removal. */
export type MergedPair = { readonly from: string; readonly into: string };

/** Something that changes rows of an account. */
export type ChangeCause =
  | 'an event'
  | 'points'
  | 'a reward'
  | 'a chest'
  | 'a product'
  | 'a closing'
  | 'a membership'
  | 'freezes'
  | 'vacations';

/**
 * The effect of a merge of two accounts on a part.
 *
 * - `joins`: `join` gives the rows of `from` to `into` and returns what `separate` needs to give them back.
 * - `stays`: the rows keep the id of `from`, which leads to `into`; `why` has the reason.
 */
export type Merging =
  | {
      readonly kind: 'joins';
      readonly join: (uow: UnitOfWork, pair: MergedPair) => Promise<JsonValue>;
      readonly separate: (uow: UnitOfWork, pair: MergedPair, kept: JsonValue) => Promise<void>;
      /** Brings rows that follow from other parts up to date, after all parts have joined or are separate again. */
      readonly settle?: ((uow: UnitOfWork, pair: MergedPair, now: Date) => Promise<void>) | undefined;
      /** The cause of a change of the rows of `into`, which makes an undo impossible; undefined if a change does not matter. */
      readonly changedBy?: ChangeCause | undefined;
      /** Constant SQL for the rows whose change has that effect; all rows without it. */
      readonly decidedBy?: string | undefined;
    }
  | { readonly kind: 'stays'; readonly why: string };

/** The data of one module about an account in one table, for exports, erasures and merges. */
export type AccountPart = {
  /** The name of the part in the export. */
  readonly name: string;
  readonly table: string;
  /** The rows after `after`, or the first ones without it. The numbers of returned and read rows are bounded. */
  readonly page: (uow: UnitOfWork, subject: Subject, after?: string) => Promise<PartPage>;
  readonly erasure: Erasure;
  readonly merging: Merging;
};

/** The maximum of rows in one page, and of rows that one slice of a sweep or search reads. */
export const PART_PAGE = 1_000;
export const SWEEP_SLICE = 2_000;
