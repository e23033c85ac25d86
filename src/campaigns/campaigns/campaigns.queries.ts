import { LockMode } from '@mikro-orm/core';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { lookUpByKey } from '../../persistence/key-lookup.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type CampaignEntity, campaignTable } from './campaign.entity.ts';
import { phaseSql } from './campaign-phase.ts';
import { type MissionEntity, missionTable } from '../missions/mission.entity.ts';

/** A campaign and its missions, by position. */
export type CampaignWithMissions = { readonly campaign: CampaignEntity; readonly missions: readonly MissionEntity[] };

/**
 * One campaign with its missions; `forChange` locks it until the transaction ends.
 * @throws DomainError `CAMPAIGN_NOT_FOUND`
 */
export async function requireCampaign(
  uow: UnitOfWork,
  id: string,
  { forChange = false } = {},
): Promise<CampaignWithMissions> {
  const key = { clientId: uow.clientId, id: id.toLowerCase() };
  const lock = forChange ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {};
  const [campaign, missions] = await Promise.all([
    uow.em.findOne(campaignTable, key, lock),
    // Runs after the statement above, so that its rows are locked as well.
    missionsOf(uow, [key.id]),
  ]);
  if (!campaign) throw new DomainError('CAMPAIGN_NOT_FOUND', sentence`There is no campaign with the id ${id}.`);
  return { campaign, missions };
}

/** The missions of some campaigns, by position. */
export function missionsOf(uow: UnitOfWork, campaignIds: readonly string[]): Promise<MissionEntity[]> {
  return uow.em.find(
    missionTable,
    { clientId: uow.clientId, campaignId: { $in: [...campaignIds] } },
    { orderBy: { position: 'asc' } },
  );
}

/** Names and descriptions of campaigns, by id. */
export async function campaignTexts(
  uow: UnitOfWork,
  ids: readonly string[],
): Promise<Map<string, Pick<CampaignEntity, 'name' | 'description'>>> {
  if (ids.length === 0) return new Map();
  const rows = await uow.query<Pick<CampaignEntity, 'id' | 'name' | 'description'>>(
    `select c.* from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({ select: 'id, name, description', from: 'campaign', key: { id: 'wanted.id' } })} c`,
    [uow.clientId, ids],
  );
  return new Map(rows.map(({ id, name, description }) => [id, { name, description }]));
}

/** The number of campaigns in the phase ACTIVE. */
export async function countActiveCampaigns(uow: UnitOfWork): Promise<number> {
  const [row] = await uow.query<{ count: number }>(
    `select count(*)::int as count from campaign where client_id = $1 and status = 'ACTIVE' and ${phaseSql} = 'ACTIVE'`,
    [uow.clientId],
  );
  return row!.count;
}

/** The ids among `ids` that name no campaign of the client. */
export async function unknownCampaigns(uow: UnitOfWork, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await uow.query<{ id: string }>(
    `select c.id from unnest($2::uuid[]) as wanted(id)
      cross join ${lookUpByKey({ select: 'id', from: 'campaign', key: { id: 'wanted.id' } })} c`,
    [uow.clientId, ids],
  );
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}
