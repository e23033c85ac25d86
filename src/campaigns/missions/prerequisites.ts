import { isDeepStrictEqual } from 'node:util';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { shortestCycle, loadReachable } from '../../kernel/graph.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import { limitedKeys, lookUpByKey } from '../../persistence/key-lookup.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { Conditions } from './mission-conditions.ts';
import type { MissionEntity } from './mission.entity.ts';

/** A mission with the data for its prerequisites. */
export type WaitingMission = {
  readonly id: string;
  readonly name: string;
  /** Missions that an account must have completed before. */
  readonly waitsFor: readonly string[];
  /** The campaign that the mission is in. */
  readonly campaign?: { readonly id: string; readonly name: string; readonly isDraft: boolean } | undefined;
};

/** A mission with its prerequisites, stored or drafted. */
export type MissionContent = Pick<MissionEntity, 'id' | 'name' | 'conditions'>;

/** The missions that an account must have completed before this one. */
export function prerequisitesOf({ conditions }: Pick<MissionEntity, 'conditions'>): readonly string[] {
  return (conditions as Conditions).prerequisiteMissionIds ?? [];
}

/** A mission entity in the form for {@link missionsWaitedFor}. */
export function waitingMission(mission: MissionContent, campaign?: WaitingMission['campaign']): WaitingMission {
  return { id: mission.id, name: mission.name, waitsFor: prerequisitesOf(mission), campaign };
}

/** Some missions and all their direct and indirect prerequisites, by id. */
export function missionsWaitedFor(
  uow: UnitOfWork,
  missions: readonly WaitingMission[],
): Promise<Map<string, WaitingMission>> {
  return loadReachable(
    missions,
    ({ waitsFor }) => waitsFor,
    (ids) => loadMissions(uow, ids),
  );
}

/** A circle of missions that wait for each other, without the first repeated at the end. Such missions can never be completed. */
export function prerequisiteCycle(
  missions: ReadonlyMap<string, WaitingMission>,
  start: string,
  counts: (mission: WaitingMission) => boolean = () => true,
): WaitingMission[] | undefined {
  const known = (ids: readonly string[]) =>
    ids.filter((id) => id === start || (missions.has(id) && counts(missions.get(id)!)));
  return shortestCycle(start, (id) => known(missions.get(id)?.waitsFor ?? []))?.map((id) => missions.get(id)!);
}

/** A circle as sentences. */
export function cycleInWords(circle: readonly WaitingMission[]): readonly Sentence[] {
  return circle.map(
    (mission, index) => sentence`${named(mission)} waits for ${named(circle[index + 1] ?? circle[0]!)}`,
  );
}

function named({ name, campaign }: WaitingMission): Sentence {
  return campaign === undefined ? sentence`'${name}'` : sentence`'${name}' of the campaign '${campaign.name}'`;
}

/**
 * Refuses new prerequisites of a standalone mission by which it would wait for itself. A circle through a campaign that is a DRAFT is
 * allowed: the draft can still change, and its activation checks it. The caller holds the lock of the catalogue.
 * @throws DomainError `BAD_REQUEST` with the circle
 */
export async function requireNoCycle(
  uow: UnitOfWork,
  stored: MissionContent,
  wanted: Omit<MissionContent, 'id'>,
): Promise<void> {
  if (isDeepStrictEqual(prerequisitesOf(stored), prerequisitesOf(wanted))) return;
  const mission = waitingMission({ ...wanted, id: stored.id });
  const circle = prerequisiteCycle(
    await missionsWaitedFor(uow, [mission]),
    mission.id,
    ({ campaign }) => !campaign?.isDraft,
  );
  if (circle === undefined) return;
  throw badRequest(
    sentence`${'mission.conditions.prerequisiteMissionIds'}: ${cycleInWords(circle)}. None of them could ever be completed. Send prerequisites that do not lead back to the mission.`,
  );
}

async function loadMissions(uow: UnitOfWork, ids: readonly string[]): Promise<WaitingMission[]> {
  const rows = await uow.query<{
    id: string;
    name: string;
    conditions: Conditions;
    campaign_id: string | null;
    campaign_name: string | null;
    is_draft: boolean | null;
  }>(
    `select m.id, m.name, m.conditions, m.campaign_id, c.name as campaign_name, c.status = 'DRAFT' as is_draft
       from ${limitedKeys('unnest($2::uuid[]) as wanted(id)', 'wanted')}
      cross join ${lookUpByKey({ select: 'id, name, conditions, campaign_id', from: 'mission', key: { id: 'wanted.id' } })} m
       left join ${lookUpByKey({ select: 'name, status', from: 'campaign', key: { id: 'm.campaign_id' } })} c on true`,
    [uow.clientId, ids],
  );
  return rows.map(
    ({ id, name, conditions, campaign_id: campaignId, campaign_name: campaignName, is_draft: isDraft }) => ({
      ...waitingMission(
        { id, name, conditions },
        campaignId === null ? undefined : { id: campaignId, name: campaignName ?? '', isDraft: isDraft === true },
      ),
    }),
  );
}
