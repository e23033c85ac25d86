import { revokeTokens } from '../../src/accounts/tokens/tokens-valid-from.queries.ts';
import { expect } from 'vitest';
import { removeCreatedAccounts } from '../../src/accounts/accounts-of-batch.ts';
import {
  claimChannel,
  clientsWithAlerts,
  lockClaimedChannel,
  lockSettingIfFree,
  openAlerts,
  resetChannels,
  storeChanges,
  storeFailed,
  storeSent,
} from '../../src/alerts/alerts.queries.ts';
import { clientsWithErasures } from '../../src/accounts/erasure/erasures.queries.ts';
import { eraseRow, lastExternalIds } from '../../src/accounts/accounts.queries.ts';
import {
  deleteMembers,
  insertMembers,
  manualAudiences,
  insertMemberships,
  membersAfter,
  requireAudiences,
  ruleAudiences,
} from '../../src/audiences/audiences.queries.ts';
import { memberPage } from '../../src/audiences/members/members.queries.ts';
import { audienceNames, audienceNamesOf, soleAudienceName } from '../../src/audiences/audience-names.queries.ts';
import { expressionsOfMissions, rewardsOfMissions, usesOfMissions } from '../../src/campaigns/uses.queries.ts';
import { missionsWaitedFor } from '../../src/campaigns/missions/prerequisites.ts';
import { clientsWithExpiredPoints } from '../../src/loyalty/expire-points.ts';
import { clientsWithExpiredReservations } from '../../src/marketplace/reservations/close-expired-reservations.ts';
import { clientsWithWaitingRewards } from '../../src/rewards/products/products.queries.ts';
import { campaignTexts } from '../../src/campaigns/campaigns/campaigns.queries.ts';
import { claimOf } from '../../src/idempotency/claim.ts';
import {
  firstUseOf,
  deleteOperations,
  lookUpOperations,
  storeOperations,
} from '../../src/idempotency/operations.queries.ts';
import { deleteRefusals } from '../../src/idempotency/refusals.queries.ts';
import { insertRefusals, namedRefusals, refusalsAfter } from '../../src/imports/refusals.queries.ts';
import { emptyFile } from '../../src/imports/staged-files.queries.ts';
import { noteWaiting, releaseLease, renewLease, retryLater } from '../../src/imports/worker/jobs.queries.ts';
import { findSpending } from '../../src/loyalty/spending/spendings.queries.ts';
import { changeStatus, pauseSoldOut } from '../../src/marketplace/publications/change-status.ts';
import { amountFromDecimal } from '../../src/kernel/amount.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Database, UnitOfWork } from '../../src/persistence/database.ts';
import { reopenCompletions } from '../../src/campaigns/completion/completions.queries.ts';
import { drawFrom, earnedLots } from '../../src/loyalty/earned-lots.queries.ts';
import { takeUnopened } from '../../src/rewards/chests/unopened-chests.queries.ts';
import { addReversed, rewardsOf } from '../../src/rewards/reversal/lost-rewards.queries.ts';
import { cancelRedemptions, redemptionsOfList } from '../../src/redemptions/redemptions.queries.ts';
import type { DeliveredReward } from '../../src/rewards/delivery/earned-reward.ts';
import {
  dropFromQueue,
  findEarnedReward,
  fulfilEarnedRewards,
  lockedClosings,
  queueOf,
  waitingAmong,
} from '../../src/rewards/delivery/earned-rewards.queries.ts';
import { earnedAmong } from '../../src/rewards/delivery/once-per-account.ts';
import { type Holding, saveNeeds } from '../../src/rewards/fragments/fragments.ts';
import { smallestNeeds } from '../../src/rewards/products/stock/queue.queries.ts';
import { codesOfList } from '../../src/rewards/products/codes/list-product-codes.ts';
import type { HeldReservation } from '../../src/marketplace/reservations/reservation.ts';
import { saveReservations } from '../../src/marketplace/reservations/reservations.queries.ts';
import { campaignsGiving } from '../../src/campaigns/statistics/short-campaigns.ts';
import { rewardsGiving } from '../../src/rewards/definitions/rewards.queries.ts';
import { wasEverWon } from '../../src/rewards/chests/chest-definitions.queries.ts';
import {
  deletePublicationRow,
  publicationsOfProduct,
  removePublicationUnits,
} from '../../src/marketplace/publications/publications.queries.ts';
import { eraseRedeemables } from '../../src/redemptions/redemptions.queries.ts';
import {
  claimBatch,
  releaseClaims,
  removeClaim,
  claimAbandonedBatches,
} from '../../src/triggers/inbox/batches.queries.ts';
import {
  takeWaiting,
  deleteDeadTrigger,
  clientsWithTriggers,
  keysInQueue,
  knownTriggers,
  recordFailures,
  removeTriggers,
  requeueTriggers,
  claimTrigger,
} from '../../src/triggers/inbox/inbox.queries.ts';
import { accountsAfter, countPresent } from '../../src/accounts/count-accounts.ts';
import { badgesInRewardsWebhook } from '../../src/clients/badges-in-rewards-webhook.ts';
import { badgesFor, badgesToCount, ownersAfter, saveOwnerCount } from '../../src/rewards/badges/badges.queries.ts';
import { backfillDaysMax } from '../../src/clients/backfill-days.ts';
import {
  BEFORE_ALL,
  beginReversal,
  deleteEntries,
  deleteLeftEvents,
  deleteOldEntries,
  deleteStagedEvents,
  lastEntries,
  markStaged,
  saveApplied,
  saveReversed,
  stagedEvents,
} from '../../src/imports/events/staged-events.queries.ts';
import { NO_EVENTS } from '../../src/triggers/backfill/backfill-summary.ts';
import { recordDeaths } from '../../src/triggers/inbox/record-deaths.ts';
import { aliasesOf } from '../../src/accounts/resolving/aliases.queries.ts';
import {
  assignmentsOnlyOf,
  moveAssignments,
  removeAssignments,
} from '../../src/campaigns/assignments/merge-assignments.queries.ts';
import { removeMerges } from '../../src/merging/account-merges.queries.ts';
import { giveRewards, mergedRewards, returnRewards } from '../../src/rewards/delivery/merge-rewards.queries.ts';
import {
  countSuspended,
  suspendedByOperation,
  takeOneSuspended,
  takeSuspended,
} from '../../src/triggers/suspended/suspended-triggers.queries.ts';
import {
  countAttempt,
  markDead,
  nextQuarantined,
  quarantineBatch,
  uncountAttempt,
} from '../../src/triggers/inbox/quarantine.queries.ts';
import type { FinishedAttempt } from '../../src/webhooks/outbox/claimed-message.ts';
import { insertEndpointMessages } from '../../src/webhooks/outbox/enqueue.queries.ts';
import { deleteOrphanedRetries } from '../../src/webhooks/outbox/housekeeping.queries.ts';
import { settleMessages } from '../../src/webhooks/outbox/outbox.queries.ts';
import { claimRetries, leaseRetries, deleteRetries } from '../../src/webhooks/retries/retry.queries.ts';
import { sendChanges } from './rare-changes.ts';
import { sendStatistics } from './rare-statistics.ts';
import { sendLeaderboards } from './rare-leaderboards.ts';
import { sendLevels } from './rare-levels.ts';
import { sendMissions } from './rare-missions.ts';
import { sendOutliers } from './rare-outliers.ts';
import { sendRefusedCalls } from './rare-refused-calls.ts';
import { sendStreaks } from './rare-streaks.ts';
import { settleRetries } from '../../src/webhooks/retries/settle-retries.ts';

/** A refused attempt of a webhook with retries. */
function refusedWebhook(clientId: string): FinishedAttempt {
  const secrets = { authenticationMethodType: null, authenticationMethodKey: null, authenticationValueSealed: null };
  const target = {
    endpoint: 'https://example.com/',
    method: 'POST',
    ...secrets,
    signingSecretSealed: null,
    formerSecretSealed: null,
    formerSecretUntil: null,
  } as const;
  const message = { id: newId(), type: 'REWARDS', body: '[]', attempts: 1, failedRetries: 0 } as const;
  return {
    message: {
      ...target,
      ...message,
      clientId,
      key: 'REWARDS',
      endpointId: null,
      configurationId: newId(),
      retries: true,
    },
    attempt: {
      id: newId(),
      method: 'POST',
      target: 'https://example.com',
      attemptedAt: new Date(),
      durationMs: 1,
      outcome: 'REFUSED',
      statusCode: 500,
      error: null,
      responseExcerpt: null,
    },
  };
}

/** Sends the statements that follow only a failure, a death, or an export: from their modules, for a client without data. */
const NO_ROWS = { created: 0, updated: 0, unchanged: 0, refused: 0 };

export async function sendWhatIsRare(db: Database, clientId: string): Promise<void> {
  const id = newId();
  const now = new Date();
  const run = { importId: id, runner: id };
  const batch = { id, firstId: id, lastId: id, markedAt: now };
  const claim = claimOf('rare', 'RedeemProduct', [id]);
  const failure = { id, attempts: 1, retryInMs: 1_000, code: 'ACCOUNT_NOT_FOUND', message: 'There is none.' } as const;
  const none = undefined;
  const reservation: HeldReservation = {
    id,
    publicationId: id,
    accountId: id,
    quantity: 1,
    status: 'ACTIVE',
    expiresAt: now,
    pointsCost: none,
    createdAt: now,
  };
  const earned: DeliveredReward = {
    id,
    accountId: id,
    rewardId: id,
    rewardType: 'PRODUCTS',
    amount: amountFromDecimal('1'),
    createdAt: now,
    status: 'DELIVERED',
    campaignId: none,
    missionId: none,
    assignmentId: none,
    milestone: none,
    levelTrackId: none,
    leaderboardRunId: none,
    productId: none,
    redemption: none,
    deliveredAt: now,
    closing: none,
    unitsNeeded: none,
    amountUnpaid: none,
    amountReversed: none,
    firstRound: none,
    rounds: none,
  };
  const puzzle = { id, name: '', stockMode: 'COUNTED', fragmentsRequired: 1, pointsCost: none } as const;
  const waiting = new Map([[id, { pieces: 1, unitsNeeded: null }]]);
  const holding: Holding = { accountId: id, product: puzzle, pieces: 0, waiting };
  const work: readonly ((uow: UnitOfWork) => Promise<unknown>)[] = [
    (uow) => eraseRow(uow, id, now),
    (uow) => removeCreatedAccounts(uow, [id]),
    (uow) => campaignTexts(uow, [id]),
    (uow) => rewardsGiving(uow, [id]),
    (uow) => campaignsGiving(uow, [id]),
    // The statement for a database on several nodes.
    (uow) => clientsWithTriggers({ ...uow, isDistributed: async () => true }),
    (uow) => clientsWithErasures(uow, now),
    (uow) => clientsWithExpiredReservations(uow, now),
    (uow) => clientsWithExpiredPoints(uow, now),
    (uow) => clientsWithWaitingRewards(uow),
    (uow) => wasEverWon(uow, id),
    (uow) => deletePublicationRow(uow, id),
    (uow) => removePublicationUnits(uow, id, 1, now),
    (uow) => saveReservations(uow, [reservation], now),
    (uow) => cancelRedemptions(uow, [id]),
    (uow) => reopenCompletions(uow, [{ accountId: id, campaignId: id }]),
    (uow) => earnedLots(uow, [{ accountId: id, earnedRewardId: id, paidAt: now }]),
    (uow) => drawFrom(uow, new Map([[id, 1n]])),
    (uow) => takeUnopened(uow, [{ accountId: id, earnedRewardId: id, createdAt: now, count: 1 }]),
    (uow) => rewardsOf(uow, [{ accountId: id, assignmentId: id, since: now }]),
    (uow) => addReversed(uow, [{ id, taken: 1n, owed: 0n }]),
    (uow) => takeWaiting(uow, [id]),
    (uow) => backfillDaysMax(uow),
    (uow) => stagedEvents(uow, id, { after: BEFORE_ALL, limit: 1 }),
    (uow) => deleteStagedEvents(uow, id, { after: BEFORE_ALL, until: BEFORE_ALL }),
    (uow) => markStaged(uow, { importId: id, runner: id }),
    (uow) => saveApplied(uow, { importId: id, runner: id }, { rows: NO_ROWS, summary: NO_EVENTS, leaseMs: 1 }),
    (uow) => lastEntries(uow, id, { before: 1, limit: 1 }),
    (uow) => deleteEntries(uow, id, { from: 0, before: 1 }),
    (uow) => saveReversed(uow, { importId: id, runner: id }, { reversed: 0, leaseMs: 1 }),
    (uow) => beginReversal(uow, id, undefined),
    (uow) => deleteLeftEvents(uow, 1),
    (uow) => deleteOldEntries(uow, now, 1),
    (uow) => deleteOperations(uow, [claim]),
    (uow) => keysInQueue(uow, ['none']),
    (uow) => assignmentsOnlyOf(uow, id, id),
    (uow) => moveAssignments(uow, { from: id, into: id }, [{ id, mission_id: id, period_key: '' }]),
    (uow) => removeAssignments(uow, { missions: new Map() } as never, id),
    (uow) => mergedRewards.join(uow, { from: id, into: id }),
    (uow) => mergedRewards.separate(uow, { from: id, into: id }, [id]),
    (uow) => giveRewards(uow, { from: id, into: id }, [{ from: id, to: id, roundsBefore: 0 }]),
    (uow) => returnRewards(uow, { from: id }, [id], [{ from: id, to: id, roundsBefore: 0 }]),
    (uow) => removeMerges(uow, id),
    (uow) => aliasesOf(uow, id),
    (uow) => countSuspended(uow, id),
    (uow) => takeSuspended(uow, id),
    (uow) => takeOneSuspended(uow, id),
    (uow) => suspendedByOperation(uow, [{ accountId: id, programmaticCode: 'NONE', operationId: 'none' }]),
    (uow) => requireAudiences(uow, []),
    (uow) => manualAudiences(uow, ['Nobody']),
    (uow) => deleteMembers(uow, id, [id], now),
    (uow) => changeStatus(uow, [id], { status: 'DRAFT', pauseReason: 'PUBLICATION_OUT_OF_STOCK' }, now),
    (uow) => pauseSoldOut(uow, { publicationIds: [id], agreementIds: [id] }, now),
    (uow) => membersAfter(uow, { id, expression: null }, id, 1, now),
    (uow) => memberPage(uow, id, { page: 1, limit: 1, search: 'Nobody' }),
    (uow) => usesOfMissions(uow, [id]),
    (uow) => expressionsOfMissions(uow, now, 'NONE'),
    (uow) => rewardsOfMissions(uow, 'NONE'),
    (uow) => ruleAudiences(uow),
    (uow) => audienceNames(uow),
    (uow) => audienceNamesOf(uow, [id]),
    (uow) => soleAudienceName(uow, id),
    (uow) => missionsWaitedFor(uow, [{ id: newId(), name: '', waitsFor: [id] }]),
    (uow) => findSpending(uow, { id, accountId: id, createdAt: now }),
    (uow) => storeOperations(uow, [{ ...claim, response: Buffer.of(), mayBeSecondUse: true }], now),
    // With the id of another operation, so that the second key finds it.
    (uow) => storeOperations(uow, [{ ...claim, scope: 'Other', response: Buffer.of(), mayBeSecondUse: true }], now),
    (uow) => lookUpOperations(uow, [claim]),
    (uow) => firstUseOf(uow, claim.operationId),
    (uow) => deleteRefusals(uow, [claim]),
    (uow) => refusalsAfter(uow, id, { position: 0, limit: 1 }),
    (uow) => namedRefusals(uow, id),
    (uow) => emptyFile(uow, id),
    (uow) => renewLease(uow, run, 1),
    (uow) => releaseLease(uow, run),
    (uow) => retryLater(uow, run, 1),
    (uow) => noteWaiting(uow, run).catch(() => {}),
    (uow) => redemptionsOfList(uow, { limit: 1 }),
    (uow) => eraseRedeemables(uow, id),
    (uow) => lastExternalIds(uow, [id]),
    (uow) => lockedClosings(uow, [{ accountId: id, campaignId: id }]),
    (uow) => waitingAmong(uow, [{ id }]),
    (uow) => queueOf(uow, { productId: id, units: 1, limit: 1 }),
    (uow) => smallestNeeds(uow, [id]),
    (uow) => saveNeeds(uow, [holding]),
    (uow) => dropFromQueue(uow, [earned]),
    (uow) => findEarnedReward(uow, id),
    (uow) => fulfilEarnedRewards(uow, [earned], now),
    (uow) => badgesFor(uow, id),
    (uow) => badgesToCount(uow, now),
    (uow) => ownersAfter(uow, id, id, 1),
    (uow) => saveOwnerCount(uow, id, { owners: 1, accounts: 1, countedAt: now }),
    (uow) => accountsAfter(uow, id, 1),
    (uow) => countPresent(uow, [id]),
    (uow) => badgesInRewardsWebhook(uow),
    (uow) => earnedAmong(uow, [{ accountId: id, reward: { id } }]),
    (uow) => codesOfList(uow, { productId: id, limit: 1 }),
    (uow) => publicationsOfProduct(uow, id),
    (uow) => claimBatch(uow, { id, from: id, limit: 1 }),
    (uow) => releaseClaims(uow, [id]),
    (uow) => revokeTokens(uow, id, now),
    (uow) => removeClaim(uow, id),
    (uow) => claimAbandonedBatches(uow, { graceMs: 1, own: [] }),
    (uow) => deleteDeadTrigger(uow, id),
    (uow) => knownTriggers(uow, [claim]),
    (uow) => recordFailures(uow, [failure]),
    (uow) => removeTriggers(uow, [id]),
    (uow) => requeueTriggers(uow, [id]),
    (uow) => claimTrigger(uow, id),
    (uow) => countAttempt(uow, id, 1),
    (uow) => markDead(uow, id),
    (uow) => recordDeaths(uow, [id]),
    (uow) => nextQuarantined(uow),
    (uow) => uncountAttempt(uow, id, 1),
    (uow) => claimRetries(uow, { configurationId: id, limit: 1 }),
    (uow) => leaseRetries(uow, [id]),
    (uow) => insertEndpointMessages(uow, [{ id, endpointId: newId(), type: 'STOCK_LOW', body: '{}' }]),
    (uow) => settleMessages(uow, [refusedWebhook(clientId)]),
    (uow) => settleRetries(uow, [refusedWebhook(clientId)]),
    (uow) => deleteRetries(uow, [id]),
    (uow) => deleteOrphanedRetries(uow, now, 1),
    quarantineTwo,
    (uow) => clientsWithAlerts(uow),
    lockSettingIfFree,
    sendAlerts,
  ];
  for (const send of work) await db.unitOfWork(clientId, send);
  await sendStatistics(db, clientId);
  await sendLevels(db, clientId);
  await sendLeaderboards(db, clientId);
  await sendOutliers(db, clientId);
  await sendRefusedCalls(db, clientId);
  await sendChanges(db, clientId);
  await sendStreaks(db, clientId);
  await sendMissions(db, clientId);
  // The resources do not exist, so that a foreign key refuses them.
  const refused: typeof work = [
    (uow) => insertMembers(uow, id, [id], now),
    (uow) => insertMemberships(uow, [{ audienceId: id, accountId: id }], now),
    (uow) => insertRefusals(uow, id, [{ position: 1, line: 1, key: '', metadata: null, reason: '' }]),
  ];
  for (const send of refused) await expect(db.unitOfWork(clientId, send)).rejects.toThrow();

  /** A finding that appeared, disappeared, came back and has ended; reported once, and once without success. */
  async function sendAlerts(uow: UnitOfWork): Promise<void> {
    await storeChanges(uow, { opened: ['A'], gone: ['A'], back: ['A'], ended: ['B'] }, now);
    await claimChannel(uow, 'EMAIL', { leaseId: id, leaseUntil: now, now });
    await lockClaimedChannel(uow, 'EMAIL', id);
    await storeSent(uow, 'EMAIL', { alerts: await openAlerts(uow), now });
    await storeFailed(uow, 'EMAIL', { failures: 1, nextAttemptAt: now, error: 'ECONNREFUSED', now });
    await resetChannels(uow, ['EMAIL']);
  }

  /** Two events that ended a process. */
  async function quarantineTwo(uow: UnitOfWork): Promise<void> {
    await uow.query(
      `insert into trigger_inbox (client_id, id, programmatic_code, account_id, id_type, occurred_at, accepted_at)
       values ($1, $2, 'RARE', 'somebody', 'EXTERNAL', now(), now())`,
      [uow.clientId, id],
    );
    await quarantineBatch(uow, batch, () => 1);
    await uow.query('delete from trigger_inbox where client_id = $1 and id = $2', [uow.clientId, id]);
  }
}
