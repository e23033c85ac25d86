import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The signed end of a client's chain at one moment. Nothing deletes one: from the last before it, what is left can be verified. */
export const auditCheckpointTable = defineEntity({
  name: 'AuditCheckpointEntity',
  tableName: 'audit_checkpoint',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    position: p.bigint('number').primary(),
    hash: p.blob(),
    createdAt: columns.createdAt(),
    publicKey: columns.text(),
    signature: columns.text(),
  },
});

export class AuditCheckpointEntity extends auditCheckpointTable.class {}
auditCheckpointTable.setClass(AuditCheckpointEntity);
