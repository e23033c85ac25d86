import { type AttentionItem, CAUSES_MAX, type CauseReader } from '../activity/causes.ts';
import { sumByOperation } from './call-counts.queries.ts';

const HOUR_MS = 3_600_000;

/** The hours before the last two whose share is the usual one. */
const USUAL_HOURS = 24;

/** Fewer refused calls are no cause: one caller that tries something out reaches them. */
const REFUSED_MIN = 20;

/** The least share of refused calls, and how many times the usual one it is. */
const SHARE_MIN = 0.05;
const RISE_MIN = 3;

/** Operations whose share of refused calls has risen, by the present hour of UTC and the one before. */
export const refusedCauses: CauseReader = async (uow, now) => {
  const until = new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS);
  const since = new Date(until.getTime() - 2 * HOUR_MS);
  const before = { since: new Date(since.getTime() - USUAL_HOURS * HOUR_MS), until: since };
  const lately = (await sumByOperation(uow, { since, until })).filter(
    ({ refused, calls }) => refused >= REFUSED_MIN && refused / calls >= SHARE_MIN,
  );
  if (lately.length === 0) return [];
  const usual = new Map((await sumByOperation(uow, before)).map((row) => [row.operation, row.refused / row.calls]));
  return lately
    .map(({ operation, refused, calls }): AttentionItem & { readonly observed: number } => ({
      ...{ about: operation, subject: operation, severity: 'WARNING', since, count: refused },
      ...{ observed: refused / calls, usual: usual.get(operation) ?? 0 },
    }))
    .filter(({ observed, usual: before = 0 }) => observed >= RISE_MIN * before)
    .toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0))
    .slice(0, CAUSES_MAX);
};
