import { JournalEntry_Effect as Effect } from '../../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { Reward_Type } from '../../../gen/laurel/v1/reward_pb.ts';
import { writeJournal } from '../../journal/journal.queries.ts';
import type { JournalRow, MovedMission, StoredReversal } from '../../journal/journal-row.ts';
import { shownTarget } from '../../engine/missions/milestones.ts';
import { amountToNumber, sumToNumber } from '../../kernel/amount.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { KnownTrigger } from '../inbox/inbox.queries.ts';
import { storedStatistics } from '../statistics-of-event.ts';
import type { Reversal } from './reversal.ts';
import type { DoneReversal } from './batch-reversal.ts';
import { amountOfWaiting } from './reversal-message.ts';

/** Adds an entry for each reversal of an applied event, which the timeline of the account shows too. */
export async function journalReversals(uow: UnitOfWork, done: readonly DoneReversal[], now: Date): Promise<void> {
  await writeJournal(
    uow,
    done.map(({ reversal, event, account, amount, missions, statistics, rewards }): JournalRow => {
      const taken: StoredReversal[4] = rewards.map(({ id, rewardId, rewardType, reversed, kept, debt }) => {
        return [id, rewardId, Reward_Type[rewardType], sumToNumber(reversed), sumToNumber(kept), sumToNumber(debt)];
      });
      return {
        ...entryOf(reversal, now),
        accountId: account.id,
        programmaticCode: event.programmaticCode,
        details: {
          missions: missions.map(({ previousProgress, assignment: { missionId, progress, target } }): MovedMission => {
            return [missionId, amountToNumber(previousProgress), amountToNumber(progress), shownTarget(target)];
          }),
          ...(statistics.length > 0 && { statistics: storedStatistics(statistics) }),
          reversal: [event.id, event.operationId ?? 0, amountToNumber(amount), reversal.reason ?? 0, taken],
        },
      };
    }),
    'byHash',
  );
}

/** The reversal of an event that waited or was dead. */
export type Withdrawn = { readonly reversal: Reversal; readonly trigger: KnownTrigger };

/** Adds an entry for each event that was removed before it was applied. */
export async function journalWithdrawn(uow: UnitOfWork, withdrawn: readonly Withdrawn[], now: Date): Promise<void> {
  await writeJournal(
    uow,
    withdrawn.map(({ reversal, trigger }): JournalRow => {
      const { programmaticCode, operationId, idType, accountId } = trigger;
      return {
        ...entryOf(reversal, now),
        // The account of an external id may not exist yet.
        accountId: idType === 'INTERNAL' ? accountId : undefined,
        programmaticCode,
        details: { reversal: [0, operationId ?? 0, amountOfWaiting(trigger), reversal.reason ?? 0, []] },
      };
    }),
    'byHash',
  );
}

function entryOf({ operationId }: Reversal, now: Date): Pick<JournalRow, 'occurredAt' | 'operationId' | 'effect'> {
  return { occurredAt: now, operationId: operationId || undefined, effect: Effect.REVERSED };
}
