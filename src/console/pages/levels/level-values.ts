import type { LevelTrackDraft } from '../../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import { type LevelTrack, LevelTrack_Downgrade } from '../../../../gen/laurel/v1/level_pb.ts';
import { enumName } from '../../api/enum-name.ts';

/** The downgrades in the order of the form. */
export const downgrades = ['NEVER', 'ONE', 'BALANCE'] as const;

/** The name of a downgrade. */
export type DowngradeName = (typeof downgrades)[number];

/** A level in the form. */
export type LevelEntry = {
  /** Of its row, for React. */
  readonly key: string;
  code: string;
  name: string;
  threshold: number | '';
  imageUrl: string;
  rewardIds: string[];
};

/** The fields of the form. */
export type LevelTrackValues = {
  code: string;
  name: string;
  description: string;
  statisticCode: string;
  downgrade: DowngradeName;
  holdDays: number | '';
  atRiskDays: number | '';
  levels: LevelEntry[];
};

/** An empty level. */
export function emptyLevel(): LevelEntry {
  return { key: String(Math.random()), code: '', name: '', threshold: '', imageUrl: '', rewardIds: [] };
}

/** The fields of a new track. */
export function newTrackValues(): LevelTrackValues {
  const first = { ...emptyLevel(), threshold: 0 };
  const texts = { code: '', name: '', description: '', statisticCode: '' };
  return { ...texts, downgrade: 'NEVER', holdDays: '', atRiskDays: '', levels: [first, emptyLevel()] };
}

/** The fields of a stored track. */
export function trackValues(track: LevelTrack): LevelTrackValues {
  const { code, name, description, statisticCode, levels, downgrade, holdDays, atRiskDays } = track;
  return {
    ...{ code, name, description, statisticCode },
    downgrade: enumName(LevelTrack_Downgrade, downgrade),
    holdDays: holdDays ?? '',
    atRiskDays: atRiskDays ?? '',
    levels: levels.map((level) => ({
      ...{ key: String(Math.random()), code: level.code, name: level.name ?? '', threshold: level.threshold },
      ...{ imageUrl: level.imageUrl ?? '', rewardIds: [...level.rewardIds] },
    })),
  };
}

/** The request's part of the fields; also of unfinished ones. */
export function trackDraft(values: LevelTrackValues): Omit<LevelTrackDraft, '$typeName'> {
  const { code, description, statisticCode, downgrade } = values;
  const isReviewed = downgrade !== 'NEVER';
  return {
    ...{ code, description, statisticCode },
    name: values.name === '' ? undefined : values.name,
    downgrade: LevelTrack_Downgrade[downgrade],
    holdDays: isReviewed && values.holdDays !== '' ? values.holdDays : undefined,
    atRiskDays: isReviewed && values.atRiskDays !== '' ? values.atRiskDays : undefined,
    levels: values.levels.map((level) => ({
      $typeName: 'laurel.v1.Level',
      code: level.code,
      name: level.name === '' ? undefined : level.name,
      threshold: Number(level.threshold),
      imageUrl: level.imageUrl === '' ? undefined : level.imageUrl,
      rewardIds: level.rewardIds,
    })),
  };
}
