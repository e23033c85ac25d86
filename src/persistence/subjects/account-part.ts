import type { JsonObject } from '@bufbuild/protobuf';
import type { UnitOfWork } from '../database.ts';

/** Whom an export or an erasure is about: one account of the unit of work's client. */
export type Subject = {
  readonly accountId: string;
  /** Undefined for an account that has none (any more). */
  readonly externalId?: string | undefined;
};

/** A page of the data about an account. */
export type PartPage = {
  readonly rows: readonly JsonObject[];
  /** Names the place behind the page, for the next one; undefined at the end. */
  readonly next?: string | undefined;
};

/**
 * The effect of an erasure on a part.
 *
 * - `atOnce`: `erase` runs in the transaction that erases the account, which is held: nothing comes after it. For what
 *   an index finds.
 * - `swept`: `sweep` looks through a bounded number of rows behind `after` (from the first where it is undefined) and
 *   gives the place to go on from, or undefined at the end. It runs twice, minutes apart, so that it meets what was on
 *   its way. For what no index finds by the account.
 * - `stays`: the data is anonymous, or is deleted at another time; `why` has the reason.
 */
export type Erasure =
  | {
      readonly kind: 'atOnce';
      /** True if writers lock such rows before the account. */
      readonly beforeHeld?: boolean;
      readonly erase: (uow: UnitOfWork, subject: Subject) => Promise<void>;
    }
  | {
      readonly kind: 'swept';
      readonly sweep: (uow: UnitOfWork, accountId: string, after?: string) => Promise<string | undefined>;
    }
  | { readonly kind: 'stays'; readonly why: string };

/** The data of one module about an account in one table, for exports and erasures. */
export type AccountPart = {
  /** As the export calls it. */
  readonly name: string;
  readonly table: string;
  /** The rows behind `after`, from the first where it is undefined. Bounded, in what it gives and in what it looks through. */
  readonly page: (uow: UnitOfWork, subject: Subject, after?: string) => Promise<PartPage>;
  readonly erasure: Erasure;
};

/** Rows that one page gives, and that one slice of a sweep or search looks through. */
export const PART_PAGE = 1_000;
export const SWEEP_SLICE = 2_000;
