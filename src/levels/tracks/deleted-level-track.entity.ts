import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A deleted track whose levels housekeeping removes. */
export const deletedLevelTrackTable = defineEntity({
  name: 'DeletedLevelTrackEntity',
  tableName: 'deleted_level_track',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    trackId: columns.reference().primary(),
    deletedAt: columns.moment(),
  },
});

export class DeletedLevelTrackEntity extends deletedLevelTrackTable.class {}
deletedLevelTrackTable.setClass(DeletedLevelTrackEntity);
