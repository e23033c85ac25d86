import { fromBinary } from '@bufbuild/protobuf';
import { type Trigger, TriggerSchema } from '../../../gen/laurel/v1/trigger_pb.ts';
import type { Catalogs } from '../../campaigns/catalog/catalog.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Journaling } from '../../journal/journal.queries.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { type BackfillSummary, NO_EVENTS, withOutcomes } from '../../triggers/backfill/backfill-summary.ts';
import { type BackfillRun, EVENTS_MAX, runBackfill } from '../../triggers/backfill/run-backfill.ts';
import type { TriggerOutcome } from '../../triggers/run-triggers.ts';
import type { EventOptions } from '../csv-import.ts';
import { insertRefusals, REFUSALS_MAX, type RefusedRow, refusalOf } from '../refusals.queries.ts';
import { holdImport } from '../worker/apply-file.ts';
import type { ImportJob } from '../worker/import-job.ts';
import {
  BEFORE_ALL,
  deleteStagedEvents,
  insertEntries,
  saveApplied,
  type StagedEvent,
  stagedEvents,
  type StagedPlace,
} from './staged-events.queries.ts';

/** The staged events of an import, to be applied. */
export type EventApplication = {
  readonly job: ImportJob;
  /** The database for batches; a wait for a locked row in it may throw. */
  readonly db: Database;
  readonly options: EventOptions;
  /** The most days that an event may be late. */
  readonly daysMax: number;
  readonly catalogs: Catalogs;
  readonly journal: Journaling | false | undefined;
  /** Called between batches; its error ends the work. */
  readonly heartbeat: () => Promise<void>;
};

/** Applied rows, each with its outcome. */
type Applied = {
  readonly rows: readonly StagedEvent[];
  readonly outcomes: ReadonlyArray<TriggerOutcome | DomainError>;
};

/** The progress of an import. */
type Progress = { readonly after: StagedPlace; readonly summary: BackfillSummary; readonly refused: number };

/**
 * Applies the staged events, account by account, those of an account in the order in which they occurred. Each batch deletes its rows in the
 * transaction of its effects, so after a crash the next worker continues there. A rehearsal rolls the effects back and keeps the sums; each
 * account is rehearsed as a whole.
 * @throws LostRun, and the errors of batches
 */
export async function applyEvents(application: EventApplication): Promise<void> {
  const { job, db, options, heartbeat } = application;
  const { summary = NO_EVENTS, rows } = job.source;
  let progress: Progress | undefined = { after: BEFORE_ALL, summary, refused: rows.refused };
  while (progress !== undefined) {
    const before: Progress = progress;
    await heartbeat();
    const rehearsed = options.dryRun ? await rehearse(application, before.after) : undefined;
    progress = await db.unitOfWork(job.clientId, async (uow) => {
      await holdImport(uow, job.run);
      const applied = rehearsed ?? (await apply(application, uow, before.after));
      return applied.rows.length === 0 ? undefined : save(application, uow, applied, before);
    });
    if (options.webhooks && !options.dryRun) job.onDelivered();
  }
}

/** Applies the first events behind a place. */
async function apply(application: EventApplication, uow: UnitOfWork, after: StagedPlace): Promise<Applied> {
  const rows = await stagedEvents(uow, application.job.source.id, { after, limit: EVENTS_MAX });
  if (rows.length === 0) return { rows, outcomes: [] };
  const outcomes = await runBackfill(uow, rows.map(triggerOf), runOf(application));
  return { rows: rows.slice(0, outcomes.length), outcomes };
}

/** Applies the events of whole accounts behind a place, and rolls everything back. */
function rehearse(application: EventApplication, after: StagedPlace): Promise<Applied> {
  const { job, db, heartbeat } = application;
  return db.rehearse(job.clientId, async (uow) => {
    const read = (behind: StagedPlace) => stagedEvents(uow, job.source.id, { after: behind, limit: EVENTS_MAX });
    const rows: StagedEvent[] = [];
    const outcomes: Array<TriggerOutcome | DomainError> = [];
    const add = async (more: readonly StagedEvent[]) => {
      rows.push(...more);
      while (outcomes.length < rows.length)
        outcomes.push(...(await runBackfill(uow, rows.slice(outcomes.length).map(triggerOf), runOf(application))));
    };
    const first = await read(after);
    const { subject } = first.at(-1) ?? {};
    // A full read may end within an account, which then follows in the next transaction.
    const whole = first.length < EVENTS_MAX ? first : first.filter((row) => row.subject !== subject);
    if (whole.length > 0 || first.length === 0) {
      await add(whole);
      return { rows, outcomes };
    }
    // One account may have any number of events.
    for (
      let next = first;
      next.length > 0;
      next = (await read(rows.at(-1)!)).filter((row) => row.subject === subject)
    ) {
      await add(next);
      await heartbeat();
    }
    return { rows, outcomes };
  });
}

/** Stores the outcomes of applied rows, and deletes the rows. */
async function save(
  { job, options, catalogs }: EventApplication,
  uow: UnitOfWork,
  { rows, outcomes }: Applied,
  { after, summary, refused }: Progress,
): Promise<Progress> {
  const { importId } = job.run;
  const until = rows.at(-1)!;
  const refusals = rows.flatMap((row, index): RefusedRow[] => {
    const outcome = outcomes[index]!;
    if (!(outcome instanceof DomainError)) return [];
    // Another call applies the same operation now, so the batch is tried again.
    if (outcome.kind === 'IN_PROGRESS') throw outcome;
    return [refusalOf({ position: Number(row.position), line: row.line, key: row.key }, outcome.sentence)];
  });
  const entries = rows.flatMap((row, index) => {
    const outcome = outcomes[index]!;
    const entryId = outcome instanceof DomainError ? undefined : outcome.backfilled?.entryId;
    return entryId === undefined ? [] : [{ importId, position: Number(row.position), line: row.line, entryId }];
  });
  const { rewards } = await catalogs(uow);
  const sum = withOutcomes(summary, outcomes, (id) => rewards.get(id)?.name ?? '');
  const counts = {
    created: sum.applied - summary.applied,
    updated: 0,
    unchanged: sum.replayed - summary.replayed,
    refused: refusals.length,
  };
  await insertRefusals(uow, importId, refusals.slice(0, Math.max(0, REFUSALS_MAX - refused)));
  if (!options.dryRun) await insertEntries(uow, entries);
  await deleteStagedEvents(uow, importId, { after, until });
  await saveApplied(uow, job.run, { rows: counts, summary: sum, leaseMs: job.leaseMs });
  return { after: until, summary: sum, refused: refused + refusals.length };
}

function triggerOf({ trigger }: StagedEvent): Trigger {
  return fromBinary(TriggerSchema, trigger);
}

function runOf({ job, catalogs, daysMax, options, journal }: EventApplication): BackfillRun {
  const { rewards, webhooks } = options;
  return { catalogs, now: job.clock(), backfill: { daysMax, rewards }, webhooks, journal };
}
