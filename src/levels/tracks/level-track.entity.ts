import { defineEntity, p } from '@mikro-orm/core';
import { DOWNGRADES } from '../../engine/levels/level-track.ts';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A level as its track stores it. */
export type StoredLevel = {
  readonly code: string;
  readonly name: string;
  /** With at most four decimals. */
  readonly threshold: number;
  readonly imageUrl?: string;
  readonly rewardIds: readonly string[];
};

/** Levels over the values of a statistic. Its code and its statistic never change. */
export const levelTrackTable = defineEntity({
  name: 'LevelTrackEntity',
  tableName: 'level_track',
  ...ownedByClient,
  uniques: [{ name: 'level_track_code_unique', properties: ['clientId', 'code'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    code: columns.byteExactText(),
    name: columns.text(),
    description: columns.text().default(''),
    /** The code of the statistic, which cannot be deleted meanwhile. */
    statisticCode: columns.byteExactText(),
    /** By rising thresholds. */
    levels: p.json<readonly StoredLevel[]>(),
    downgrade: columns.oneOf(DOWNGRADES),
    holdDays: p.integer().nullable(),
    atRiskDays: p.integer().nullable(),
    /** Increases with every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class LevelTrackEntity extends levelTrackTable.class {}
levelTrackTable.setClass(LevelTrackEntity);
