import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/**
 * The signed end of a client's chain at one moment. Checkpoints are never deleted: after retention, the rest can be verified from the last
 * one before it.
 */
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
