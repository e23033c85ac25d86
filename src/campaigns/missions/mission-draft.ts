import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { MissionDraft } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import {
  Mission_CountsSchema,
  type Mission_Milestone,
  Mission_OnReversalSchema,
  Mission_PeriodSchema,
  type Mission_Repeat,
  Mission_TypeSchema,
} from '../../../gen/laurel/v1/mission_pb.ts';
import type { EventDeclaration } from '../../engine/missions/event-expression.ts';
import { ENDLESS, type Milestone, type MissionRepeat } from '../../engine/missions/mission-rule.ts';
import { validateMission } from '../../engine/missions/validate-mission.ts';
import { checkedExpression } from '../../expressions/invalid-expression.ts';
import { type Amount, amountFromNumber } from '../../kernel/amount.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { MissionEntity, ReachedColumn } from './mission.entity.ts';
import { type Conditions, storedConditions } from './mission-conditions.ts';
import { missionRule } from '../catalog/rules.ts';

/** The context of a new mission: its campaign or audience, its position, and the events that it counts. */
export type MissionHome = {
  readonly clientId: string;
  readonly campaignId: string | null;
  readonly audienceId: string | null;
  readonly position: number;
  readonly events: EventDeclaration;
};

/** The columns of a mission to be written. */
export type NewMission = Omit<
  MissionEntity,
  'campaign' | 'createdAt' | 'updatedAt' | 'active' | 'version' | ReachedColumn
>;

/**
 * The columns of a mission from an operator's draft, with the draft's id or a new one.
 * @param field the draft's name in messages, for example `missions[0]`
 * @throws DomainError `BAD_REQUEST` with the contradiction and its correction
 */
export function missionFromDraft(draft: MissionDraft, home: MissionHome, field: string): NewMission {
  const mission = columnsOf(draft, home, field);
  requireExpression(mission, home.events, `${field}.conditions.expression`);
  try {
    validateMission(missionRule(mission, new Map([[mission.programmaticCode, home.events]])), home.events.type);
  } catch (error) {
    throw error instanceof DomainError ? badRequest(sentence`${field}: ${error.sentence}`) : error;
  }
  return mission;
}

/** @throws InvalidExpression for an expression that is no BOOLEAN over the mission's events */
function requireExpression({ conditions }: NewMission, { environment }: EventDeclaration, field: string): void {
  const { expression } = conditions as Conditions;
  if (expression !== undefined) checkedExpression(expression, environment, 'BOOLEAN', field);
}

function columnsOf(draft: MissionDraft, home: MissionHome, field: string): NewMission {
  const { clientId, campaignId, audienceId, position } = home;
  const { perPeriodTarget } = draft;
  return {
    clientId,
    id: draft.id?.toLowerCase() ?? newId(),
    campaignId,
    audienceId,
    type: enumName(Mission_TypeSchema, draft.type)!,
    name: draft.name,
    description: draft.description,
    imageUrl: draft.imageUrl ?? null,
    programmaticCode: draft.programmaticCode,
    target: targetOf(draft, field),
    counts: enumName(Mission_CountsSchema, draft.counts) ?? null,
    repeat: draft.repeat ? repeatOf(draft.repeat) : null,
    rewardIds: draft.rewardIds.map((id) => id.toLowerCase()),
    conditions: draft.conditions ? storedConditions(draft.conditions, `${field}.conditions`) : {},
    period: enumName(Mission_PeriodSchema, draft.period) ?? null,
    perPeriodTarget:
      perPeriodTarget === undefined ? null : amountFromNumber(perPeriodTarget, `${field}.perPeriodTarget`),
    gracePeriods: draft.gracePeriods,
    milestones: draft.milestones.length === 0 ? null : draft.milestones.map(milestoneOf),
    onReversal: enumName(Mission_OnReversalSchema, draft.onReversal) ?? null,
    occurrences: draft.occurrences ?? null,
    startsAt: draft.startsAt ? timestampDate(draft.startsAt) : null,
    endsAt: draft.endsAt ? timestampDate(draft.endsAt) : null,
    durationDays: draft.durationDays ?? null,
    position,
  };
}

/** @throws DomainError `BAD_REQUEST` for an endless mission with a target */
function targetOf({ target, endless }: MissionDraft, field: string): Amount {
  if (endless !== true) return amountFromNumber(target, `${field}.target`);
  if (target === 0) return ENDLESS;
  throw badRequest(sentence`${field}: an endless mission has no target: leave target out, or leave out endless.`);
}

function milestoneOf({ length, rewardIds, freezes }: Mission_Milestone): Milestone {
  const rewards = rewardIds.map((id) => id.toLowerCase());
  return { length, rewardIds: rewards, ...(freezes !== undefined && { freezes }) };
}

function repeatOf({ max }: Mission_Repeat): MissionRepeat {
  return max === undefined ? {} : { max };
}
