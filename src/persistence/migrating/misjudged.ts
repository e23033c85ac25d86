/**
 * Definitions that hosts of the release before a migration treat wrongly: a SELECT of `words` and `active`, with the time as `$1`. It is
 * run only after the migration: before, there are none. Texts are JSON, so that they cannot send control characters to a terminal.
 */
export type Misjudged = string;

/** Campaigns and missions count late events for a day after their end. */
const ENDED = `$1::timestamptz - interval '1 day'`;

const OF_CLIENT = 'of the client %s %s';

/** The missions that may count events, with `is_running`: standalone ones, and those of campaigns that are not drafts. */
const MISSIONS = `(select m.*, to_jsonb(m) as stored, coalesce(c.status <> 'DRAFT', true) as is_running
   from mission m left join campaign c on c.client_id = m.client_id and c.id = m.campaign_id
  where c.status is distinct from 'ENDED' and least(m.ends_at, c.ends_at, 'infinity') > ${ENDED})`;

const CAMPAIGNS = `(select *, status <> 'DRAFT' as is_running from campaign
  where status <> 'ENDED' and coalesce(ends_at, 'infinity') > ${ENDED})`;

function missionsWhere(condition: string): Misjudged {
  return `select format('mission %s %s ${OF_CLIENT}', m.id, to_json(m.name), o.id, to_json(o.name)) as words, m.is_running as active
            from ${MISSIONS} m join client o on o.id = m.client_id where ${condition} order by o.name, o.id, m.name, m.id`;
}

/** Missions with a condition that 0.2.0 does not know: hosts of it count the events that the condition refuses. */
export const MISSIONS_WITH_LATER_CONDITIONS = missionsWhere(
  `m.conditions - array['minAmount', 'maxAmount', 'maxPerPeriod', 'daysOfWeek', 'timeFrom', 'timeTo', 'prerequisiteMissionIds'] <> '{}'`,
);

/** Missions that count events instead of amounts, or repeat. */
export const MISSIONS_WITH_ROUNDS = missionsWhere(
  `m.stored ->> 'counts' is not null or m.stored ->> 'repeat' is not null`,
);

/** Missions whose past periods a reversal reaches. */
export const STRICT_MISSIONS = missionsWhere(`m.stored ->> 'on_reversal' is not null`);

/** Campaigns with a control group. */
export const CAMPAIGNS_WITH_CONTROL_GROUP: Misjudged = `
  select format('campaign %s %s ${OF_CLIENT}', c.id, to_json(c.name), o.id, to_json(o.name)) as words, c.is_running as active
    from (select c.*, to_jsonb(c) as stored from ${CAMPAIGNS} c) c join client o on o.id = c.client_id
   where c.stored ->> 'control_group_percent' is not null order by o.name, o.id, c.name, c.id`;

/** Audiences by expression; active where a running campaign or mission addresses them. */
export const AUDIENCES_BY_EXPRESSION: Misjudged = `
  select format('audience %s %s ${OF_CLIENT}', a.id, to_json(a.name), o.id, to_json(o.name)) as words,
         exists (select from ${CAMPAIGNS} c where c.client_id = a.client_id and a.id = any(c.audience_ids) and c.is_running)
         or exists (select from ${MISSIONS} m where m.client_id = a.client_id and m.audience_id = a.id and m.is_running) as active
    from audience a join client o on o.id = a.client_id
   where a.kind = 'RULE' and a.deleted_at is null order by o.name, o.id, a.name, a.id`;

/** Webhook endpoints, which are in use from their creation on. */
export const WEBHOOK_ENDPOINTS: Misjudged = `
  select format('webhook endpoint %s %s ${OF_CLIENT}', e.id, to_json(e.name), o.id, to_json(o.name)) as words,
         $1::timestamptz is not null as active
    from webhook_endpoint e join client o on o.id = e.client_id order by o.name, o.id, e.name, e.id`;

/** Rewards whose amount is an expression; active where a running campaign or mission gives them, or a chest has them. */
export const REWARDS_BY_EXPRESSION: Misjudged = `
  select format('reward %s %s ${OF_CLIENT}', r.id, to_json(r.name), o.id, to_json(o.name)) as words,
         exists (select from ${CAMPAIGNS} c where c.client_id = r.client_id and r.id = any(c.reward_ids) and c.is_running)
         or exists (select from ${MISSIONS} m where m.client_id = r.client_id and r.id = any(m.reward_ids) and m.is_running)
         or exists (select from chest_definition d where d.client_id = r.client_id and d.deleted_at is null
                       and d.entries @> jsonb_build_array(jsonb_build_object('rewardId', r.id))) as active
    from reward r join client o on o.id = r.client_id
   where to_jsonb(r) ->> 'amount_expression' is not null and r.deleted_at is null order by o.name, o.id, r.name, r.id`;
