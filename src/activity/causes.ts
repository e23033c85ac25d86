import type { Cause_Kind, Cause_Severity } from '../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import type { UnitOfWork } from '../persistence/database.ts';

/** The kinds of causes, explained at `Cause.Kind` of the proto. */
export type CauseKind = Exclude<keyof typeof Cause_Kind, 'KIND_UNSPECIFIED'>;

/** One thing that needs an operator, as its module reports it. */
export type AttentionItem = {
  /** The stable key of the cause within its kind; absent if the kind has only one cause. */
  readonly about?: string;
  readonly severity: Exclude<keyof typeof Cause_Severity, 'SEVERITY_UNSPECIFIED'>;
  readonly since?: Date | undefined;
  /** Id and name of the subject. */
  readonly subjectId?: string;
  readonly subject?: string;
  /** The number of waiting rows. */
  readonly count?: number | undefined;
  /** The product with a shortage, if the subject is something else. */
  readonly productId?: string;
  readonly productName?: string;
  /** Free units of the product, and units taken in 24 hours. */
  readonly unitsLeft?: number;
  readonly unitsTaken?: number;
  readonly until?: Date | undefined;
  /** The campaign of the mission that is the subject. */
  readonly campaignId?: string | undefined;
  /** The events or points of the account that is the subject, and the usual. */
  readonly observed?: number;
  readonly usual?: number;
};

/**
 * Finds the causes of one kind in a client's unit of work, at most {@link CAUSES_MAX}. It reads a bounded number of rows along indexes in
 * tables that grow with accounts or events, because every request for the overview runs it.
 */
export type CauseReader = (uow: UnitOfWork, now: Date) => Promise<readonly AttentionItem[]>;

/** The readers of all kinds; each is a function of the module with the data. */
export type CauseReaders = Readonly<Record<CauseKind, CauseReader>>;

/** The maximum of causes of one kind in one answer. */
export const CAUSES_MAX = 20;

/** Waiting rows are counted up to this number. */
export const WAITING_MAX = 1_000;
