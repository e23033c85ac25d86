import type { Alerts } from '../alerts/alerts.ts';
import { clientsWithAlerts } from '../alerts/alerts.queries.ts';
import { clientsWithErasures } from '../accounts/erasure/erasures.queries.ts';
import { finishErasures } from '../accounts/erasure/finish-erasures.ts';
import { deleteFormerMemberships } from '../audiences/members/delete-former-memberships.ts';
import { sealEntries } from '../audit/chain/seal-entries.ts';
import { deleteOldAuditEntries } from '../audit/delete-old-audit-entries.ts';
import { rotateTokenKeys } from '../clients/account-tokens/token-keys.ts';
import { clientsWithChanges, deleteOldChanges } from '../changes/delete-old-changes.ts';
import { deleteOldSessions } from '../clients/sessions/delete-old-sessions.ts';
import { clientsWithFailedSignIns, reportFailedSignIns } from '../clients/sign-in/failed-sign-ins.ts';
import { DAY, MINUTE } from '../kernel/time/timestamp.ts';
import {
  addJournalPartitions,
  clientsWithStrayEntries,
  indexJournal,
  maintainJournalPartitions,
  removeStrayEntries,
} from '../journal/maintain-partitions.ts';
import { accountsWithoutAssignments } from '../campaigns/assignments/account-contexts.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import { clientsWithDueStreaks, reviewStreaks } from '../campaigns/streak-risks/review-streaks.ts';
import { cleanUpImports } from '../imports/worker/clean-up-imports.ts';
import { clientsWithExpiredPoints, expirePoints } from '../loyalty/expire-points.ts';
import {
  clientsWithExpiredReservations,
  closeExpiredReservations,
} from '../marketplace/reservations/close-expired-reservations.ts';
import { deleteKeptData } from '../merging/delete-kept-data.ts';
import { deleteOldOperations } from '../idempotency/delete-old-operations.ts';
import { deleteOldOperationRefusals } from '../idempotency/delete-old-refusals.ts';
import { clientsWithOutliers, measureOutliers } from '../outliers/measure-outliers.ts';
import { deleteOldCalls } from '../refused-calls/delete-old-calls.ts';
import { clientsWithUncountedBadges, countBadgeOwners } from '../rewards/badges/count-owners.ts';
import { clientsWithWaitingRewards } from '../rewards/products/products.queries.ts';
import { resumeRestocks } from '../rewards/delivery/restock.ts';
import { clientsWithDeletedRuns, removeDeletedRuns } from '../leaderboards/definitions/remove-entries.ts';
import { type AudiencesOf, clientsWithFills, fillLeaderboards } from '../leaderboards/entries/fill-leaderboards.ts';
import { clientsWithDeltas, foldDeltas } from '../leaderboards/ranks/fold-deltas.ts';
import { clientsWithWaiting, givePlaces } from '../leaderboards/leagues/give-places.ts';
import { clientsWithDueRuns, closeRuns } from '../leaderboards/runs/close-runs.ts';
import { removeDeletedLevels, clientsWithDeletedTracks } from '../levels/accounts/remove-levels.ts';
import { clientsWithDueLevels, reviewLevels } from '../levels/accounts/review-levels.ts';
import { deleteOldEvents } from '../statistics/values/delete-old-events.ts';
import { clientsWithDeletedStatistics, removeDeletedValues } from '../statistics/values/remove-values.ts';
import { deleteOldReversals } from '../triggers/reversals/delete-old-reversals.ts';
import { oldestAcceptance } from '../triggers/inbox/inbox.queries.ts';
import { deleteOldWebhookRows } from '../webhooks/outbox/delete-old-webhook-rows.ts';
import type { SecretBox } from '../kernel/secrets/secret-box.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import type { ScheduledJob } from './housekeeping.ts';
import { clientsWithPast } from '../statistics/definitions/past-events.queries.ts';
import { clientsWithReached } from '../campaigns/missions/reached-targets.queries.ts';
import { completeReachedTargets } from '../triggers/complete-reached.ts';
import { countPastEvents } from '../triggers/count-past-events.ts';

/** The retention of temporary data. */
export type Retention = {
  /** Operation ids and their answers. */
  readonly operationDays: number;
  /** The log of webhooks. */
  readonly deliveryDays: number;
  /** The audit log. */
  readonly auditDays: number;
  /** The journal of events, in whole days of UTC before today. */
  readonly journalDays: number;
};

/** The dependencies of jobs beside the database. */
export type JobMeans = {
  /** Woken to send webhooks after a restock has closed campaigns. */
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  /** The data of all modules about an account. */
  readonly parts: readonly AccountPart[];
  /** The keys that sign the audit log, and seal the keys of account tokens. */
  readonly secrets: Pick<SecretBox, 'sign' | 'seal'>;
  readonly alerts: Pick<Alerts, 'check'>;
  readonly catalogs: Catalogs;
};

/** All scheduled jobs. */
export function scheduledJobs(
  retention: Retention,
  { dispatcher, parts, secrets, alerts, catalogs }: JobMeans,
): ScheduledJob[] {
  const audiencesOf: AudiencesOf = async (uow, accounts, now) => {
    const known = await accountsWithoutAssignments(uow, await catalogs(uow), accounts, { now });
    return new Map([...known].map(([id, { audiences }]) => [id, audiences]));
  };
  /** A job whose work may leave webhooks to send. */
  const waking = (run: ScheduledJob['run']): ScheduledJob['run'] => {
    return async (db, clientId, now) => {
      const done = await run(db, clientId, now);
      if (done > 0) dispatcher.wake(clientId);
      return done;
    };
  };
  return [
    {
      name: 'close expired reservations',
      everyMs: MINUTE,
      irrevocable: true,
      due: clientsWithExpiredReservations,
      run: closeExpiredReservations,
    },
    {
      name: 'resume restocks',
      everyMs: MINUTE,
      due: clientsWithWaitingRewards,
      run: waking(resumeRestocks),
    },
    { name: 'count owners of badges', everyMs: 5 * MINUTE, due: clientsWithUncountedBadges, run: countBadgeOwners },
    { name: 'expire points', everyMs: 5 * MINUTE, irrevocable: true, due: clientsWithExpiredPoints, run: expirePoints },
    {
      name: 'finish erasures',
      everyMs: MINUTE,
      due: clientsWithErasures,
      run: (db, clientId, now) => finishErasures(db, clientId, { parts, clock: () => now }),
    },
    { name: 'clean up imports', everyMs: 5 * MINUTE, irrevocable: true, run: cleanUpImports },
    {
      name: 'delete old operations',
      everyMs: 60 * MINUTE,
      irrevocable: true,
      run: (db, clientId, now) => deleteOldOperations(db, clientId, daysBefore(now, retention.operationDays)),
    },
    { name: 'delete old refusals', everyMs: 30 * MINUTE, irrevocable: true, run: deleteOldOperationRefusals },
    {
      name: 'delete former memberships',
      everyMs: 60 * MINUTE,
      irrevocable: true,
      run: (db, clientId, now) => deleteFormerMemberships(db, clientId, { now, oldestAcceptance }),
    },
    {
      name: 'delete the log of webhooks',
      everyMs: 60 * MINUTE,
      irrevocable: true,
      run: (db, clientId, now) =>
        deleteOldWebhookRows(db, clientId, { olderThan: daysBefore(now, retention.deliveryDays) }),
    },
    {
      name: 'delete old changes',
      everyMs: 60 * MINUTE,
      irrevocable: true,
      due: clientsWithChanges,
      run: deleteOldChanges,
    },
    {
      name: 'seal audit entries',
      everyMs: 15 * MINUTE,
      run: (db, clientId, now) => sealEntries(db, clientId, { now, secrets }),
    },
    {
      name: 'delete old audit entries',
      everyMs: 60 * MINUTE,
      irrevocable: true,
      run: (db, clientId, now) => deleteOldAuditEntries(db, clientId, daysBefore(now, retention.auditDays)),
    },
    // Partitions are added even if the clock is not trusted, because events need them.
    { name: 'add journal partitions', everyMs: 60 * MINUTE, runForAll: addJournalPartitions, ...NO_CLIENT },
    {
      name: 'drop old journal partitions',
      everyMs: 60 * MINUTE,
      irrevocable: true,
      runForAll: (uow) => maintainJournalPartitions(uow, retention.journalDays),
      due: (uow) => clientsWithStrayEntries(uow, retention.journalDays),
      run: (db, clientId, now) => removeStrayEntries(db, clientId, retention.journalDays, now),
    },
    {
      name: 'delete old reversals',
      everyMs: 60 * MINUTE,
      irrevocable: true,
      // A day of the journal goes when its last entry is too old.
      run: (db, clientId, now) => deleteOldReversals(db, clientId, daysBefore(now, retention.journalDays + 1)),
    },
    {
      name: 'delete old refused calls',
      everyMs: 60 * MINUTE,
      irrevocable: true,
      run: (db, clientId, now) => deleteOldCalls(db, clientId, daysBefore(now, retention.journalDays + 1)),
    },
    { name: 'delete the data of old merges', everyMs: 60 * MINUTE, irrevocable: true, run: deleteKeptData },
    {
      name: 'delete old events of statistics',
      everyMs: 60 * MINUTE,
      irrevocable: true,
      run: (db, clientId, now) => deleteOldEvents(db, clientId, daysBefore(now, retention.journalDays + 1)),
    },
    {
      name: 'remove deleted statistics',
      everyMs: 5 * MINUTE,
      irrevocable: true,
      due: clientsWithDeletedStatistics,
      run: removeDeletedValues,
    },
    {
      name: 'review levels',
      everyMs: MINUTE,
      irrevocable: true,
      due: clientsWithDueLevels,
      run: waking(reviewLevels),
    },
    {
      name: 'announce streaks at risk',
      everyMs: MINUTE,
      irrevocable: true,
      due: clientsWithDueStreaks,
      run: waking((db, clientId, now) => reviewStreaks(db, clientId, now, catalogs)),
    },
    {
      name: 'count past events',
      everyMs: MINUTE / 12,
      due: clientsWithPast,
      run: (db, clientId, now) => countPastEvents(db, clientId, now, catalogs),
    },
    {
      name: 'complete lowered missions',
      everyMs: MINUTE / 12,
      irrevocable: true,
      due: clientsWithReached,
      run: waking((db, clientId, now) => completeReachedTargets(db, clientId, now, catalogs)),
    },
    {
      name: 'rank accounts of new leaderboards',
      everyMs: MINUTE / 12,
      due: clientsWithFills,
      run: (db, clientId, now) => fillLeaderboards(db, clientId, now, audiencesOf),
    },
    // At 2,000 events a second, a rank adds up some hundred deltas.
    {
      name: 'fold ranks',
      everyMs: MINUTE / 300,
      due: clientsWithDeltas,
      run: (db, clientId) => foldDeltas(db, clientId),
    },
    {
      name: 'give groups of leagues',
      everyMs: MINUTE / 300,
      due: clientsWithWaiting,
      run: givePlaces,
    },
    {
      name: 'close leaderboards',
      everyMs: MINUTE / 4,
      irrevocable: true,
      due: clientsWithDueRuns,
      run: waking(closeRuns),
    },
    {
      name: 'remove deleted leaderboards',
      everyMs: 5 * MINUTE,
      irrevocable: true,
      due: clientsWithDeletedRuns,
      run: removeDeletedRuns,
    },
    {
      name: 'remove deleted levels',
      everyMs: 5 * MINUTE,
      irrevocable: true,
      due: clientsWithDeletedTracks,
      run: removeDeletedLevels,
    },
    // At 18,000 events a second, half of the allowed unindexed events accumulate between two runs.
    { name: 'index the journal', everyMs: MINUTE / 12, runForAll: indexJournal, ...NO_CLIENT },
    { name: 'compare accounts', everyMs: 5 * MINUTE, due: clientsWithOutliers, run: measureOutliers },
    { name: 'tell what needs attention', everyMs: MINUTE, due: clientsWithAlerts, run: alerts.check },
    {
      name: 'tell of failed sign-ins',
      everyMs: 5 * MINUTE,
      due: clientsWithFailedSignIns,
      run: reportFailedSignIns,
    },
    {
      name: 'rotate keys of account tokens',
      everyMs: 60 * MINUTE,
      irrevocable: true,
      runForAll: (uow, now) => rotateTokenKeys(uow, now, secrets),
      ...NO_CLIENT,
    },
    {
      name: 'delete old sessions',
      everyMs: 60 * MINUTE,
      irrevocable: true,
      run: (db, clientId, now) => deleteOldSessions(db, clientId, daysBefore(now, 1)),
    },
  ];
}

/** The functions of a job without work for single clients. */
const NO_CLIENT = { due: () => Promise.resolve([]), run: () => Promise.resolve(0) };

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY);
}
