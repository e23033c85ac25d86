import { create, toJsonString } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { StreakAtRiskSchema } from '../../../gen/laurel/v1/change_pb.ts';
import type { Account } from '../../accounts/account.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { clientsWith } from '../../clients/client-ids.ts';
import { HAS_REVIEWS_TO_MOVE, reviewsMovedUpTo, saveReviewsMovedUpTo } from '../../clients/streak-reviews.ts';
import { NO_PERIOD } from '../../engine/assignment.ts';
import { nextReviewAt, type RiskRules, type RunAtRisk, runAtRisk } from '../../engine/missions/streaks/streak-risk.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { enqueueWebhooks, type WebhookMessage } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { loadAccountContexts } from '../assignments/account-contexts.ts';
import type { Catalogs, ClientCatalog } from '../catalog/catalog.ts';
import {
  accountsWithReviews,
  dueReviews,
  endReviews,
  finishReviews,
  reviewAgain,
  reviewsFor,
  type RiskKey,
  type StoredRisk,
} from './streak-risks.queries.ts';

/**
 * Reviews in one transaction: few, so that events wait only for a moment. With 200 the p99 of events was 3.6 times that without reviews, with 50
 * it was 2.0 times.
 */
const BATCH = 50;

/** Reviews that one transaction makes due. */
const ACCOUNTS = 200;

/**
 * Housekeeping: announces runs whose periods end soon and are not kept, in small transactions, so that it may be stopped at any point.
 * @returns the number of reviews
 */
export async function reviewStreaks(db: Database, clientId: string, now: Date, catalogs: Catalogs): Promise<number> {
  await reviewMovedRuns(db, clientId, now);
  for (let total = 0; ;) {
    const done = await db.unitOfWork(clientId, (uow) => reviewBatch(uow, now, catalogs));
    total += done;
    if (done < BATCH) return total;
  }
}

/** Makes the reviews of all runs of a client due, after a change of its zone or of the hours, in small transactions. */
async function reviewMovedRuns(db: Database, clientId: string, now: Date): Promise<void> {
  while (await db.unitOfWork(clientId, (uow) => moveReviews(uow, now)));
}

/** @returns whether more accounts are left */
async function moveReviews(uow: UnitOfWork, now: Date): Promise<boolean> {
  const after = await reviewsMovedUpTo(uow);
  if (after === undefined) return false;
  const ids = await accountsWithReviews(uow, after, ACCOUNTS);
  await selectAccounts(uow, { ids, externalIds: [] }, 'change');
  await reviewAgain(uow, ids, now);
  await saveReviewsMovedUpTo(uow, ids.at(-1));
  return ids.length > 0;
}

async function reviewBatch(uow: UnitOfWork, now: Date, catalogs: Catalogs): Promise<number> {
  const catalog = await catalogs(uow);
  const due = await dueReviews(uow, now, BATCH);
  if (due.length === 0) return 0;
  const ids = [...new Set(due.map(({ accountId }) => accountId))];
  const accounts = await selectAccounts(uow, { ids, externalIds: [] }, 'change');
  // An event may have moved a review on before the lock.
  const reviews = (await reviewsFor(uow, due)).filter(({ nextAt }) => nextAt <= now);
  const missionsOf = new Map(
    [...Map.groupBy(reviews, ({ accountId }) => accountId)].map(([id, own]) => [
      id,
      own.map((review) => review.missionId),
    ]),
  );
  const contexts = await loadAccountContexts(uow, catalog, accounts, { missionsOf, periodKeys: [NO_PERIOD] }, now);
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const rules = riskRulesOf(catalog);
  const [next, over, messages]: [StoredRisk[], RiskKey[], WebhookMessage[]] = [[], [], []];
  for (const review of reviews) {
    const [account, context] = [byId.get(review.accountId), contexts.get(review.accountId)];
    const plan = catalog.rules.missions.get(review.missionId);
    const run = plan && context && rules && runAtRisk(plan, context, rules, now.getTime());
    if (account === undefined || run === undefined) {
      over.push(review);
      continue;
    }
    const isAnnounced =
      run.isAtRisk && run.announcedFrom <= now.getTime() && (review.warnedPeriod ?? -Infinity) < run.period;
    const warnedPeriod = isAnnounced ? run.period : review.warnedPeriod;
    const freezesOwned = context?.freezes?.present.owned ?? 0;
    if (isAnnounced && account.suspendedAt === undefined)
      messages.push(streakAtRisk(catalog, account, review, run, freezesOwned));
    next.push({ ...review, warnedPeriod, nextAt: new Date(nextReviewAt(run, warnedPeriod)) });
  }
  await Promise.all([finishReviews(uow, next), endReviews(uow, over)]);
  await enqueueWebhooks(uow, messages);
  return due.length;
}

/** The runs that the client wants to be announced; undefined for none. */
export function riskRulesOf({ streakSettings }: Pick<ClientCatalog, 'streakSettings'>): RiskRules | undefined {
  const { atRiskHours: hours, atRiskLength: length = 1 } = streakSettings;
  return hours === undefined ? undefined : { hours, length };
}

function streakAtRisk(
  catalog: ClientCatalog,
  { id, externalId }: Account,
  { missionId }: RiskKey,
  run: RunAtRisk,
  freezesOwned: number,
): WebhookMessage {
  const { current, longest, gracePeriodsLeft, periodEndsAt, keepUntil } = run;
  const change = create(StreakAtRiskSchema, {
    ...{ accountId: id, externalId, missionId, current, longest, gracePeriodsLeft, freezesOwned },
    missionName: catalog.missions.get(missionId)?.name ?? '',
    periodEndsAt: timestampFromMs(periodEndsAt),
    keepUntil: timestampFromMs(keepUntil),
  });
  return { kind: 'STREAK_AT_RISK', json: toJsonString(StreakAtRiskSchema, change, { alwaysEmitImplicit: true }) };
}

/** The clients with due reviews, in a system unit of work. */
export function clientsWithDueStreaks(uow: UnitOfWork, now: Date): Promise<string[]> {
  return clientsWith(
    uow,
    `(select from streak_risk where client_id = c.id and next_at <= $1 limit 1)
      union all (select where ${HAS_REVIEWS_TO_MOVE}) limit 1`,
    [now],
  );
}
