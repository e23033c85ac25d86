import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { Trigger } from '../../../gen/laurel/v1/trigger_pb.ts';
import type { Catalogs } from '../../campaigns/catalog/catalog.ts';
import type { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Journaling } from '../../journal/journal.queries.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { muteWebhooks } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { answerTooLong, MISSIONS_MAX } from '../emitter.ts';
import { runTriggers, type TriggerOutcome } from '../run-triggers.ts';
import type { Backfill } from './backfill.ts';

/** How a transaction backfills events. */
export type BackfillRun = {
  readonly catalogs: Catalogs;
  readonly now: Date;
  readonly backfill: Backfill;
  readonly webhooks: boolean;
  /** The way in which the journal records events; false without a journal. */
  readonly journal?: Journaling | false | undefined;
};

/**
 * Backfills a first part of some events in the caller's transaction.
 * @param triggers in the order of `occurredAt`, at most 200
 * @returns their outcomes, in order; at least one, and fewer than the events where many missions count them
 */
export function runBackfill(
  uow: UnitOfWork,
  triggers: readonly Trigger[],
  { catalogs, now, backfill, webhooks, journal }: BackfillRun,
): Promise<Array<TriggerOutcome | DomainError>> {
  if (!webhooks) muteWebhooks(uow);
  return runTriggers(uow, catalogs, triggers, now, { journal, backfill });
}

/**
 * The outcomes of all of some events, in as many parts as their missions need. Behind answers with very many missions the others have no
 * effect.
 * @param triggers in the order of `occurredAt`
 * @param runPart applies a first part of the rest
 */
export async function inParts(
  triggers: readonly Trigger[],
  runPart: (rest: readonly Trigger[]) => Promise<Array<TriggerOutcome | DomainError>>,
): Promise<Array<TriggerOutcome | DomainError>> {
  const outcomes: Array<TriggerOutcome | DomainError> = [];
  let missions = 0;
  while (outcomes.length < triggers.length && missions < MISSIONS_MAX) {
    const part = await runPart(triggers.slice(outcomes.length));
    outcomes.push(...part);
    for (const outcome of part) if (!(outcome instanceof Error)) missions += outcome.response.progressedMissions.length;
  }
  const applied = outcomes.length;
  return [...outcomes, ...Array.from({ length: triggers.length - applied }, () => answerTooLong(applied))];
}

/** The indexes of triggers in the order in which they occurred; those of one moment keep their order. */
export function inOrderOfOccurrence(triggers: readonly Trigger[]): number[] {
  const moments = triggers.map(({ occurredAt }) => (occurredAt === undefined ? -Infinity : timestampMs(occurredAt)));
  return [...triggers.keys()].toSorted((a, b) => (moments[a] === moments[b] ? a - b : moments[a]! - moments[b]!));
}

/** The most events in one transaction. */
export const EVENTS_MAX = 200;
