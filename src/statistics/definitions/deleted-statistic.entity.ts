import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A deleted statistic whose values housekeeping removes. */
export const deletedStatisticTable = defineEntity({
  name: 'DeletedStatisticEntity',
  tableName: 'deleted_statistic',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    statisticId: columns.reference().primary(),
    deletedAt: columns.moment(),
  },
});

export class DeletedStatisticEntity extends deletedStatisticTable.class {}
deletedStatisticTable.setClass(DeletedStatisticEntity);
