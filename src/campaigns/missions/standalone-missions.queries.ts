import { LockMode } from '@mikro-orm/core';
import type { MissionDraft } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { eventsOf } from '../campaigns/campaign-draft.ts';
import { eventDeclarations } from '../event-definitions/event-definitions.queries.ts';
import { type MissionEntity, missionTable } from './mission.entity.ts';
import { missionFromDraft, type NewMission } from './mission-draft.ts';

/**
 * One standalone mission; `forChange` locks it until the transaction ends.
 * @throws DomainError `MISSION_NOT_FOUND`, also for a mission of a campaign
 */
export async function requireStandalone(
  uow: UnitOfWork,
  id: string,
  { forChange = false } = {},
): Promise<MissionEntity> {
  const key = { clientId: uow.clientId, id: id.toLowerCase(), campaignId: null };
  const mission = await uow.em.findOne(missionTable, key, forChange ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {});
  if (!mission) throw new DomainError('MISSION_NOT_FOUND', sentence`There is no standalone mission with the id ${id}.`);
  return mission;
}

/**
 * The columns of a standalone mission from an operator's draft. In a feed it follows the missions of campaigns.
 * @throws DomainError `BAD_REQUEST` with the name of the field
 */
export async function standaloneFromDraft(
  uow: UnitOfWork,
  audienceId: string,
  draft: MissionDraft,
): Promise<NewMission> {
  const events = eventsOf(await eventDeclarations(uow), draft, 'mission');
  const home = { clientId: uow.clientId, campaignId: null, audienceId, position: 0, events };
  return missionFromDraft(draft, home, 'mission');
}
