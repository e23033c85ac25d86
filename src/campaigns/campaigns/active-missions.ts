import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { CampaignWithMissions } from './campaigns.queries.ts';
import { type Finding, finding } from '../activation/finding.ts';

/**
 * The most active missions of one client on one event code: each event of the code is checked against all of them (docs/decisions/0018). A
 * catalogue that already has more continues to work.
 */
export const ACTIVE_MISSIONS_MAX = 500;

/** Active missions by event code. */
export type ActiveMissions = ReadonlyMap<string, number>;

/**
 * Counts the active missions on some codes: standalone ones and those of ACTIVE campaigns, without those that are over at `now`. The caller
 * holds the lock of the catalogue, so that the counts stay true.
 */
export async function activeMissions(uow: UnitOfWork, codes: Iterable<string>, now: Date): Promise<ActiveMissions> {
  const rows = await uow.query<{ code: string; count: number }>(
    `select m.programmatic_code as code, count(*)::int as count
       from mission m
      where m.client_id = $1 and m.active and m.programmatic_code = any($2::text[])
        and (m.ends_at is null or m.ends_at > $3)
        and (m.campaign_id is null or m.campaign_id in (
          select id from campaign where client_id = $1 and status = 'ACTIVE' and (ends_at is null or ends_at > $3)))
      group by 1`,
    [uow.clientId, [...new Set(codes)], now],
  );
  return new Map(rows.map(({ code, count }) => [code, count]));
}

/**
 * Refuses a change, after it was written, if a code has more active missions than before and than allowed.
 * @param before the counts of {@link activeMissions} before the change
 * @throws DomainError `TOO_MANY_ACTIVE_MISSIONS`
 */
export async function requireRoom(
  uow: UnitOfWork,
  before: ActiveMissions,
  codes: Iterable<string>,
  now: Date,
): Promise<void> {
  for (const [code, count] of await activeMissions(uow, codes, now)) {
    if (count > ACTIVE_MISSIONS_MAX && count > (before.get(code) ?? 0))
      throw tooManyActiveMissions(tooMany(code, count));
  }
}

/** The event codes for which activating a campaign at `now` would exceed the limit. */
export async function codesOverLimit(
  uow: UnitOfWork,
  { campaign, missions }: CampaignWithMissions,
  now: Date,
): Promise<Finding[]> {
  if (campaign.status === 'ACTIVE' || (campaign.endsAt && campaign.endsAt <= now)) return [];
  const own = Map.groupBy(
    missions.filter(({ endsAt }) => !endsAt || endsAt > now),
    ({ programmaticCode }) => programmaticCode,
  );
  const others = await activeMissions(uow, own.keys(), now);
  return [...own].flatMap(([code, some]) => {
    const count = some.length + (others.get(code) ?? 0);
    if (count <= ACTIVE_MISSIONS_MAX) return [];
    return [finding(`missions[${missions.indexOf(some[0]!)}].programmaticCode`, tooMany(code, count))];
  });
}

/** The 409 for a change after which too many missions would check the events of a code. */
export function tooManyActiveMissions(message: Sentence): DomainError {
  return new DomainError('TOO_MANY_ACTIVE_MISSIONS', message);
}

function tooMany(code: string, count: number): Sentence {
  return sentence`The code '${code}' would have ${count} active missions; it may have ${ACTIVE_MISSIONS_MAX}. End or pause others that count it first, or use another event code.`;
}
