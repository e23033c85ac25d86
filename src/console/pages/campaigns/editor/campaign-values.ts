import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  CampaignDraftSchema,
  MissionDraftSchema,
} from '../../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { type Campaign, Campaign_ClaimPolicy } from '../../../../../gen/laurel/v1/campaign_pb.ts';
import {
  type Mission,
  Mission_Counts,
  Mission_OnReversal,
  Mission_Period,
  Mission_Type,
} from '../../../../../gen/laurel/v1/mission_pb.ts';
import { localTimeOf, momentOf } from '../../../form/local-time.ts';
import { type ConditionValues, conditionValuesOf, type Entry, sentConditions } from './conditions.ts';
import {
  type countedValues,
  type pastPeriodValues,
  hasField,
  type MissionTypeName,
  missionTypeName,
  type PeriodName,
  periodName,
  type repetitions,
} from '../mission-types.ts';

/** A length at which a STREAK pays rewards. */
export type MilestoneEntry = {
  /** Of its row, for React. */
  readonly key: string;
  length: Entry;
  rewardIds: string[];
  freezes: Entry;
};

/** The fields of one mission. */
export type MissionValues = {
  /** Its id; for an unsaved mission a new UUID, by which other missions of the draft can require it. */
  key: string;
  /** The id of a stored mission. */
  id: string | undefined;
  type: MissionTypeName;
  name: string;
  description: string;
  imageUrl: string;
  programmaticCode: string;
  target: Entry;
  counts: (typeof countedValues)[number];
  /** Whether it starts again at each multiple of its target, and at most how often. */
  repeat: { mode: (typeof repetitions)[number]; max: Entry };
  rewardIds: string[];
  period: PeriodName;
  perPeriodTarget: Entry;
  gracePeriods: Entry;
  /** Whether a STREAK has no target. */
  endless: boolean;
  milestones: MilestoneEntry[];
  onReversal: (typeof pastPeriodValues)[number];
  occurrences: Entry;
  /** Local times of the time zone in which the person works. */
  startsAt: string;
  endsAt: string;
  durationDays: Entry;
  conditions: ConditionValues;
};

/** The request of a mission, which has no name of its message. */
type Draft = Omit<MessageInitShape<typeof MissionDraftSchema>, '$typeName' | '$unknown'>;

/** The fields of the campaign editor. */
export type CampaignValues = {
  name: string;
  description: string;
  audienceIds: string[];
  controlGroupPercent: Entry;
  rewardIds: string[];
  claimPolicy: 'AUTOMATIC' | 'EXPLICIT';
  startsAt: string;
  endsAt: string;
  missions: MissionValues[];
};

/** An empty campaign. */
export function newCampaign(): CampaignValues {
  return {
    name: '',
    description: '',
    audienceIds: [],
    controlGroupPercent: '',
    rewardIds: [],
    claimPolicy: 'AUTOMATIC',
    startsAt: '',
    endsAt: '',
    missions: [newMission('MISSION')],
  };
}

/** A random UUID. `crypto.randomUUID` exists on secure origins only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
}

/** An empty mission. */
export function newMission(type: MissionTypeName): MissionValues {
  return {
    key: newKey(),
    id: undefined,
    type,
    name: '',
    description: '',
    imageUrl: '',
    programmaticCode: '',
    target: '',
    counts: 'AMOUNTS',
    repeat: { mode: 'ONCE', max: '' },
    rewardIds: [],
    period: 'DAY',
    perPeriodTarget: '',
    gracePeriods: '',
    endless: false,
    milestones: [],
    onReversal: 'KEEP',
    occurrences: '',
    startsAt: '',
    endsAt: '',
    durationDays: '',
    conditions: conditionValuesOf(undefined),
  };
}

/** A stored campaign as the editor shows it. */
export function valuesOf(campaign: Campaign, timeZone: string): CampaignValues {
  return {
    name: campaign.name,
    description: campaign.description,
    audienceIds: campaign.audienceIds,
    controlGroupPercent: campaign.controlGroupPercent ?? '',
    rewardIds: campaign.rewardIds,
    claimPolicy: campaign.claimPolicy === Campaign_ClaimPolicy.EXPLICIT ? 'EXPLICIT' : 'AUTOMATIC',
    startsAt: localTimeOf(campaign.startsAt, timeZone),
    endsAt: localTimeOf(campaign.endsAt, timeZone),
    missions: campaign.missions.map((mission) => missionValuesOf(mission, timeZone)),
  };
}

/** A stored mission as its form shows it. */
export function missionValuesOf(mission: Mission, timeZone: string): MissionValues {
  return {
    key: mission.id,
    id: mission.id,
    type: missionTypeName(mission.type),
    name: mission.name,
    description: mission.description,
    imageUrl: mission.imageUrl ?? '',
    programmaticCode: mission.programmaticCode,
    target: mission.endless === true ? '' : mission.target,
    counts: mission.counts === Mission_Counts.EVENTS ? 'EVENTS' : 'AMOUNTS',
    repeat: { mode: mission.repeat ? 'AGAIN' : 'ONCE', max: mission.repeat?.max ?? '' },
    rewardIds: mission.rewardIds,
    period: periodName(mission.period),
    perPeriodTarget: mission.perPeriodTarget ?? '',
    gracePeriods: mission.gracePeriods === 0 ? '' : mission.gracePeriods,
    endless: mission.endless === true,
    milestones: mission.milestones.map(({ length, rewardIds, freezes }) => ({
      key: newKey(),
      length,
      rewardIds: [...rewardIds],
      freezes: freezes ?? '',
    })),
    onReversal: mission.onReversal === Mission_OnReversal.STRICT ? 'STRICT' : 'KEEP',
    occurrences: mission.occurrences ?? '',
    startsAt: localTimeOf(mission.startsAt, timeZone),
    endsAt: localTimeOf(mission.endsAt, timeZone),
    durationDays: mission.durationDays ?? '',
    conditions: conditionValuesOf(mission.conditions),
  };
}

/** The request of the editor's fields. */
export function draftOf(values: CampaignValues, timeZone: string): MessageInitShape<typeof CampaignDraftSchema> {
  return {
    name: values.name,
    description: values.description,
    audienceIds: values.audienceIds,
    controlGroupPercent: orUndefined(values.controlGroupPercent),
    rewardIds: values.rewardIds,
    claimPolicy: Campaign_ClaimPolicy[values.claimPolicy],
    startsAt: momentOf(values.startsAt, timeZone),
    endsAt: momentOf(values.endsAt, timeZone),
    missions: values.missions.map((mission) => missionDraftOf(mission, timeZone)),
  };
}

/**
 * The request of one mission. Fields that the type does not have are left out, even if they were filled in before the
 * type was changed.
 */
export function missionDraftOf(values: MissionValues, timeZone: string): Draft {
  const { type, conditions } = values;
  return {
    id: values.id,
    key: values.id === undefined ? values.key : undefined,
    type: Mission_Type[type],
    name: values.name,
    description: values.description,
    imageUrl: orUndefined(values.imageUrl),
    programmaticCode: values.programmaticCode,
    target: values.target === '' || isEndless(values) ? 0 : values.target,
    counts: values.counts === 'EVENTS' ? Mission_Counts.EVENTS : undefined,
    repeat: repeats(values) ? { max: orUndefined(values.repeat.max) } : undefined,
    rewardIds: isEndless(values) ? [] : values.rewardIds,
    endless: isEndless(values) || undefined,
    milestones: hasField(type, 'milestones')
      ? values.milestones.map(({ length, rewardIds, freezes }) => ({
          ...{ length: Number(length), rewardIds },
          freezes: orUndefined(freezes),
        }))
      : [],
    period: hasField(type, 'period') || conditions.maxPerPeriod !== '' ? Mission_Period[values.period] : undefined,
    perPeriodTarget: hasField(type, 'perPeriodTarget') ? orUndefined(values.perPeriodTarget) : undefined,
    gracePeriods: hasField(type, 'gracePeriods') ? orUndefined(values.gracePeriods) : undefined,
    onReversal: hasField(type, 'onReversal') && values.onReversal === 'STRICT' ? Mission_OnReversal.STRICT : undefined,
    occurrences: hasField(type, 'occurrences') ? orUndefined(values.occurrences) : undefined,
    startsAt: momentOf(values.startsAt, timeZone),
    endsAt: momentOf(values.endsAt, timeZone),
    durationDays: hasField(type, 'durationDays') ? orUndefined(values.durationDays) : undefined,
    conditions: sentConditions(conditions),
  };
}

/** Whether a mission has no target. */
export function isEndless({ type, endless }: Pick<MissionValues, 'type' | 'endless'>): boolean {
  return hasField(type, 'milestones') && endless;
}

/** An empty milestone. */
export function newMilestone(): MilestoneEntry {
  return { key: newKey(), length: '', rewardIds: [], freezes: '' };
}

/** Whether a mission starts again at each multiple of its target. */
export function repeats({ type, repeat }: Pick<MissionValues, 'type' | 'repeat'>): boolean {
  return hasField(type, 'repeat') && repeat.mode === 'AGAIN';
}

function orUndefined<T extends string | number>(value: T | ''): T | undefined {
  return value === '' ? undefined : value;
}
