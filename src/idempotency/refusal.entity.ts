import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** A refused operation id: older attempts at the call may not take effect any more. */
export const refusalTable = defineEntity({
  name: 'OperationRefusalEntity',
  tableName: 'operation_refusal',
  ...ownedByClient,
  indexes: [{ name: 'operation_refusal_refused', properties: ['clientId', 'refusedAt'] }],
  properties: {
    clientId: columns.clientId(),
    operationId: columns.byteExactText().primary(),
    /** The operation. */
    scope: columns.byteExactText().primary(),
    /** By PostgreSQL's clock, to the microsecond, because it is compared with moments a few milliseconds away. */
    refusedAt: p.datetime(6),
  },
});

export class OperationRefusalEntity extends refusalTable.class {}
refusalTable.setClass(OperationRefusalEntity);
