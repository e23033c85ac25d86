import type { Uses } from '../kernel/errors/in-use.ts';
import { sentence, type Sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { lookUpByKey } from '../persistence/key-lookup.ts';

/** Campaigns in any state and standalone missions that address an audience. */
export async function usesOfAudience(uow: UnitOfWork, audienceId: string): Promise<Uses> {
  const rows = await uow.query<Use>(
    `select 'campaign' as kind, name from campaign where client_id = $1 and audience_ids @> array[$2::uuid]
      union all
     select 'mission', name from mission where client_id = $1 and audience_id = $2
      order by name`,
    [uow.clientId, audienceId],
  );
  return rows.map(inWords);
}

/** Missions that count events of a code. */
export async function usesOfCode(uow: UnitOfWork, programmaticCode: string): Promise<Uses> {
  const rows = await uow.query<Use>(
    `select 'mission' as kind, c.name as campaign, m.name
       from mission m left join ${lookUpByKey({ select: 'id, name', from: 'campaign', key: { id: 'm.campaign_id' } })} c on true
      where m.client_id = $1 and m.programmatic_code = $2
      order by m.name`,
    [uow.clientId, programmaticCode],
  );
  return rows.map(inWords);
}

/** An expression of a mission, and the mission's code and name. */
export type ExpressionUse = { readonly use: Sentence; readonly code: string; readonly expression: string };

/** The expressions of missions that have not ended, of all or of those that count events of one code. */
export async function expressionsOfMissions(
  uow: UnitOfWork,
  now: Date,
  programmaticCode?: string,
): Promise<ExpressionUse[]> {
  const rows = await uow.query<Use & Omit<ExpressionUse, 'use'>>(
    `select 'mission' as kind, c.name as campaign, m.name, m.programmatic_code as code, m.conditions ->> 'expression' as expression
       from mission m left join ${lookUpByKey({ select: 'id, name, status', from: 'campaign', key: { id: 'm.campaign_id' } })} c on true
      where m.client_id = $1 and m.conditions ? 'expression' and c.status is distinct from 'ENDED'
        and (m.ends_at is null or m.ends_at > $3) and ($2::text is null or m.programmatic_code = $2)
      order by m.name`,
    [uow.clientId, programmaticCode ?? null, now],
  );
  return rows.map(({ code, expression, ...row }) => ({ use: inWords(row), code, expression }));
}

/** The ids of the rewards that missions give, of all or of those that count events of one code. */
export async function rewardsOfMissions(uow: UnitOfWork, programmaticCode?: string): Promise<string[]> {
  const rows = await uow.query<{ id: string }>(
    `select distinct given.id
       from mission m cross join lateral (
              select unnest(m.reward_ids)::text as id
               union all
              select jsonb_array_elements_text(jsonb_path_query_array(m.milestones, '$[*].rewardIds[*]'))) given
      where m.client_id = $1 and ($2::text is null or m.programmatic_code = $2)`,
    [uow.clientId, programmaticCode ?? null],
  );
  return rows.map(({ id }) => id);
}

/** Campaigns that have not ended and give a reward, directly or through a mission, and standalone missions that give it. */
export async function usesOfReward(uow: UnitOfWork, rewardId: string, now: Date): Promise<Uses> {
  const rows = await uow.query<Use>(
    `select 'campaign' as kind, name from campaign c
      where client_id = $1 and status <> 'ENDED'
        and (reward_ids @> array[$2::uuid] or exists (
          select from mission m where m.client_id = $1 and m.campaign_id = c.id and m.reward_ids @> array[$2::uuid]))
      union all
     select 'mission', name from mission
      where client_id = $1 and campaign_id is null
        and (reward_ids @> array[$2::uuid] or milestones @> $4::jsonb)
        and (ends_at is null or ends_at > $3)
      order by name`,
    [uow.clientId, rewardId, now, JSON.stringify([{ rewardIds: [rewardId] }])],
  );
  return rows.map(inWords);
}

/** Other missions that have one of these as a prerequisite. */
export async function usesOfMissions(uow: UnitOfWork, missionIds: readonly string[]): Promise<Uses> {
  const rows = await uow.query<Use>(
    `select 'mission' as kind, name from mission
      where client_id = $1 and not (id = any($2::uuid[])) and conditions -> 'prerequisiteMissionIds' ?| $3::text[]
      order by name`,
    [uow.clientId, missionIds, missionIds],
  );
  return rows.map(inWords);
}

type Use = { readonly kind: 'campaign' | 'mission'; readonly name: string; readonly campaign?: string | null };

function inWords({ kind, name, campaign }: Use): Sentence {
  if (kind === 'campaign') return sentence`campaign '${name}'`;
  return typeof campaign === 'string'
    ? sentence`campaign '${campaign}', mission '${name}'`
    : sentence`mission '${name}'`;
}
