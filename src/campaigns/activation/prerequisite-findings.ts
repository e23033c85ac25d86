import type { UnitOfWork } from '../../persistence/database.ts';
import {
  cycleInWords,
  prerequisiteCycle,
  missionsWaitedFor,
  waitingMission,
  type WaitingMission,
} from '../missions/prerequisites.ts';
import type { CampaignWithMissions } from '../campaigns/campaigns.queries.ts';
import { type Finding, finding } from './finding.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';

/** Problems in the order of a campaign's missions. */
export type PrerequisiteFindings = {
  /** Certain circles: their missions can never be completed. */
  readonly circles: readonly Finding[];
  /** Prerequisites in another campaign that is a DRAFT, and circles through one: the draft can still change. */
  readonly inDrafts: readonly Finding[];
};

/** The problems of the prerequisites of a campaign's missions, also through missions of other campaigns. */
export async function prerequisiteFindings(
  uow: UnitOfWork,
  { missions: stored }: CampaignWithMissions,
): Promise<PrerequisiteFindings> {
  // Without its campaign, a mission is named without the campaign and treated as a mission of an active one.
  const own = stored.map((mission) => waitingMission(mission));
  const missions = await missionsWaitedFor(uow, own);
  const circles: Finding[] = [];
  const inDrafts: Finding[] = [];
  const reported = new Set<string>();
  for (const [index, mission] of own.entries()) {
    const field = `missions[${index}].conditions.prerequisiteMissionIds`;
    const certain = prerequisiteCycle(missions, mission.id, ({ campaign }) => !campaign?.isDraft);
    const circle = certain ?? prerequisiteCycle(missions, mission.id);
    if (circle && !reported.has(mission.id)) {
      for (const { id } of circle) reported.add(id);
      const found = finding(field, circleMessage(circle));
      if (certain) circles.push(found);
      else inDrafts.push(found);
    }
    if (!circle) inDrafts.push(...waitingForDrafts(missions, mission).map((each) => finding(field, each)));
  }
  return { circles, inDrafts };
}

function circleMessage(circle: readonly WaitingMission[]): Sentence {
  return sentence`${cycleInWords(circle)}: none of them can ever be completed. Take one of these prerequisites out.`;
}

function waitingForDrafts(
  missions: ReadonlyMap<string, WaitingMission>,
  { name, waitsFor }: WaitingMission,
): Sentence[] {
  return waitsFor.flatMap((id) => {
    const { name: needed, campaign } = missions.get(id) ?? {};
    if (!campaign?.isDraft) return [];
    return [
      sentence`'${name}' waits for '${needed ?? ''}' of the campaign '${campaign.name}', which is a DRAFT: nobody can complete it before that is active.`,
    ];
  });
}
