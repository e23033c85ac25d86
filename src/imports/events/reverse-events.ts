import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Database } from '../../persistence/database.ts';
import { reverseTriggers } from '../../triggers/reversals/reverse-triggers.ts';
import { muteWebhooks } from '../../webhooks/outbox/enqueue-webhooks.ts';
import type { Catalogs } from '../../campaigns/catalog/catalog.ts';
import { insertRefusals, type RefusedRow, refusalOf } from '../refusals.queries.ts';
import { holdImport } from '../worker/apply-file.ts';
import type { ImportJob } from '../worker/import-job.ts';
import { deleteEntries, lastEntries, saveReversed } from './staged-events.queries.ts';

/** Reversals in one transaction. */
const BATCH = 200;

/** The events of an import, to be taken back. */
export type EventReversal = {
  readonly job: ImportJob;
  /** The database for batches; a wait for a locked row in it may throw. */
  readonly db: Database;
  readonly catalogs: Catalogs;
  /** Called between batches; its error ends the work. */
  readonly heartbeat: () => Promise<void>;
};

/**
 * Takes the applied events of an import back, the last rows of the file first. Each batch deletes its rows in the transaction of its
 * effects, so after a crash the next worker continues there. An event that cannot be taken back becomes a refused row.
 * @throws LostRun, and the errors of batches
 */
export async function reverseEvents({ job, db, catalogs, heartbeat }: EventReversal): Promise<void> {
  const { source, run, leaseMs, clock } = job;
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    await heartbeat();
    const from = await db.unitOfWork(job.clientId, async (uow) => {
      await holdImport(uow, run);
      if (!source.events?.webhooks) muteWebhooks(uow);
      const entries = await lastEntries(uow, run.importId, { before, limit: BATCH });
      if (entries.length === 0) return undefined;
      const reversals = entries.map(({ entry_id: entryId }) => {
        return { event: { entryId }, amount: undefined, reason: source.reversalReason, operationId: '' };
      });
      const outcomes = await reverseTriggers(uow, await catalogs(uow), reversals, { now: clock() });
      const refusals = entries.flatMap(({ position, line }, index): RefusedRow[] => {
        const outcome = outcomes[index]!;
        // Nothing is left of an event that was taken back alone.
        if (!(outcome instanceof DomainError) || outcome.code === 'REVERSAL_TOO_LARGE') return [];
        return [refusalOf({ position: Number(position), line, key: '' }, outcome.sentence)];
      });
      await insertRefusals(uow, run.importId, refusals);
      const first = Number(entries.at(-1)!.position);
      await deleteEntries(uow, run.importId, { from: first, before });
      const reversed = outcomes.filter((outcome) => !(outcome instanceof DomainError)).length;
      await saveReversed(uow, run, { reversed, leaseMs });
      return first;
    });
    if (from === undefined) return;
    before = from;
    if (source.events?.webhooks) job.onDelivered();
  }
}
