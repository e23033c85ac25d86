import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Account } from '../../accounts/account.ts';
import { selectAccounts } from '../../accounts/accounts.queries.ts';
import { clientsWith } from '../../clients/client-ids.ts';
import { levelValuesOf } from '../../engine/levels/account-levels.ts';
import {
  currentLevel,
  type HeldLevel,
  levelAtReview,
  nextStepAt,
  reviewLevel,
} from '../../engine/levels/held-level.ts';
import type { LevelTrack, LevelValues } from '../../engine/levels/level-track.ts';
import { NO_VALUES } from '../../engine/statistics/statistic-values.ts';
import type { Timestamp } from '../../kernel/time/timestamp.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { enqueueWebhooks, type WebhookMessage } from '../../webhooks/outbox/enqueue-webhooks.ts';
import { loadTracks } from '../load-tracks.ts';
import { type DueLevel, dueLevels, endReviews, type LevelRow, saveLevels } from './account-levels.queries.ts';
import { levelAtRisk, levelChanged } from './announce-levels.ts';
import { toReachedLevel } from './level-message.ts';
import { loadLevels } from './load-levels.ts';

/** Reviews in one transaction: few, so that events of these accounts wait only for a moment. */
const BATCH = 200;

/**
 * Housekeeping: carries out the due reviews and warnings of levels, in small transactions, so that it may be stopped at any point. Reads and
 * events know due reviews without it.
 * @returns the number of reviews and warnings
 */
export async function reviewLevels(db: Database, clientId: string, now: Date): Promise<number> {
  for (let total = 0; ;) {
    const done = await db.unitOfWork(clientId, (uow) => reviewBatch(uow, now));
    if (done === 0) return total;
    total += done;
  }
}

async function reviewBatch(uow: UnitOfWork, now: Date): Promise<number> {
  const due = await dueLevels(uow, now, BATCH);
  if (due.length === 0) return 0;
  const ids = [...new Set(due.map(({ accountId }) => accountId))];
  const accounts = await selectAccounts(uow, { ids, externalIds: [] }, 'change');
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const tracks = await loadTracks(uow);
  const trackById = new Map(tracks.map((track) => [track.id, track]));
  const { held, values } = await loadLevels(uow, { tracks, accountIds: ids, now });
  const rows: LevelRow[] = [];
  const messages: WebhookMessage[] = [];
  const gone: DueLevel[] = [];
  for (const each of due) {
    const [account, track] = [byId.get(each.accountId), trackById.get(each.trackId)];
    const before = held.get(each.accountId)?.get(each.trackId);
    if (account === undefined || track === undefined) gone.push(each);
    // Another transaction has merged the account or carried out the step meanwhile.
    else if (before !== undefined && (nextStepAt(track, before) ?? Infinity) <= now.getTime()) {
      const own = levelValuesOf(track, values.get(account.id) ?? NO_VALUES, now.getTime());
      const { state, message } = nextStep(track, account, before, own, now.getTime());
      rows.push({ ...each, held: state, nextStepAt: nextStepAt(track, state) });
      messages.push(...message);
    } else if (before !== undefined) rows.push({ ...each, held: before, nextStepAt: nextStepAt(track, before) });
  }
  await Promise.all([saveLevels(uow, rows), endReviews(uow, gone)]);
  await enqueueWebhooks(uow, messages);
  return due.length;
}

/** Carries out a review, or the warning before it. */
function nextStep(
  track: LevelTrack,
  account: Account,
  before: HeldLevel,
  values: LevelValues,
  now: Timestamp,
): { readonly state: HeldLevel; readonly message: readonly WebhookMessage[] } {
  const { reviewAt } = before;
  if (reviewAt === undefined || reviewAt <= now) {
    const { held, move } = reviewLevel(track, before, values, now);
    return { state: held!, message: move === undefined ? [] : [levelChanged(account, move)] };
  }
  const state = { ...before, isWarned: true };
  const level = currentLevel(track, before, values, now);
  const after = levelAtReview(track, level, values) ?? level.number;
  if (after >= level.number) return { state, message: [] };
  const risk = {
    trackId: track.id,
    trackCode: track.code,
    level: toReachedLevel(track, level.number),
    levelAfterReview: toReachedLevel(track, after),
    reviewAt: timestampFromMs(reviewAt),
  };
  return { state, message: [levelAtRisk(account, risk)] };
}

/** The clients with due reviews or warnings, in a system unit of work. */
export function clientsWithDueLevels(uow: UnitOfWork, now: Date): Promise<string[]> {
  const due = 'select from account_level where client_id = c.id and next_step_at <= $1 limit 1';
  return clientsWith(uow, due, [now]);
}
