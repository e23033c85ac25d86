import type { MissionDraft } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { Mission_CountsSchema } from '../../../gen/laurel/v1/mission_pb.ts';
import { addsAmounts } from '../../engine/missions/mission-rule.ts';
import type { EventDeclaration } from '../../engine/missions/event-expression.ts';
import { checkedExpression } from '../../expressions/invalid-expression.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { RewardDefinition } from '../../rewards/definitions/reward-definition.ts';
import { rewardTypeRules } from '../../rewards/definitions/reward-types.ts';
import { eventDeclarations } from '../event-definitions/event-definitions.queries.ts';

/** The ids of all rewards that a mission gives, as a draft names them. */
export function rewardIdsOfDraft({
  rewardIds,
  milestones,
}: Pick<MissionDraft, 'rewardIds' | 'milestones'>): readonly string[] {
  return [...rewardIds, ...milestones.flatMap((milestone) => milestone.rewardIds)];
}

/** The most rounds of a mission with rewards of other types than POINTS: one event may deliver those of all rounds. */
const ROUNDS_WITH_GOODS_MAX = 1_000;

/** Rounds that add up amounts are made of several events, so an amount by one event's attributes has no meaning. */
type Rounds = { readonly max: number | undefined; readonly addUpAmounts: boolean };

/**
 * Checks the rewards of missions: amounts that are expressions by the events of the missions, and all by the rounds of missions that
 * repeat.
 * @param rewards the client's rewards, with all that the missions name
 * @param fieldOf the name of a mission in messages
 * @throws DomainError `BAD_REQUEST`, InvalidExpression
 */
export async function requireMissionRewards(
  uow: UnitOfWork,
  missions: readonly MissionDraft[],
  rewards: ReadonlyMap<string, RewardDefinition>,
  fieldOf = (index: number): string => `missions[${index}]`,
): Promise<void> {
  const given = missions.flatMap((draft, index) => {
    const mission = fieldOf(index);
    const named = (ids: readonly string[], path: string) =>
      ids.map((id, position) => {
        const reward = rewards.get(id.toLowerCase())!;
        return { draft, reward, mission, field: `${path}.rewardIds[${position}]` };
      });
    const ofMilestones = draft.milestones.flatMap(({ rewardIds }, position) =>
      named(rewardIds, `${mission}.milestones[${position}]`),
    );
    return [...named(draft.rewardIds, mission), ...ofMilestones];
  });
  const checked = given.filter(({ draft, reward }) => draft.repeat ?? reward.amountExpression);
  if (checked.length === 0) return;
  const declarations = await eventDeclarations(uow);
  for (const { draft, reward, mission, field } of checked) {
    const events = declarations.get(draft.programmaticCode);
    if (events === undefined) continue;
    const rounds = roundsOf(draft, events);
    requireFormula(reward, events, rounds, field);
    requireFewRounds(reward, rounds, `${mission}.repeat.max`);
  }
}

function roundsOf({ repeat, counts }: MissionDraft, events: EventDeclaration): Rounds | undefined {
  const rule = { counts: enumName(Mission_CountsSchema, counts) };
  return repeat && { max: repeat.max, addUpAmounts: addsAmounts(rule, events.type) };
}

/** @throws InvalidExpression, or DomainError `BAD_REQUEST` for a round that has no single event */
function requireFormula(
  { name, amountExpression }: RewardDefinition,
  events: EventDeclaration,
  rounds: Rounds | undefined,
  field: string,
): void {
  if (amountExpression === undefined) return;
  const { names } = checkedExpression(amountExpression, events.environment, 'NUMBER', field);
  const ofEvent = names.values().find((used) => used.startsWith('event.'));
  if (ofEvent === undefined || rounds?.addUpAmounts !== true) return;
  throw badRequest(
    sentence`${field}: the amount of the reward '${name}' depends on ${ofEvent}, but several events make a round of this mission. Send counts EVENTS, leave out repeat, or send a reward without ${ofEvent}.`,
  );
}

/** @throws DomainError `BAD_REQUEST` */
function requireFewRounds({ name, type }: RewardDefinition, rounds: Rounds | undefined, field: string): void {
  if (rounds === undefined || rewardTypeRules[type].isPoints) return;
  if (rounds.max !== undefined && rounds.max <= ROUNDS_WITH_GOODS_MAX) return;
  throw badRequest(
    sentence`${field} must be from 2 to ${ROUNDS_WITH_GOODS_MAX}, because the reward '${name}' is of type ${type}: only POINTS have no such limit.`,
  );
}
