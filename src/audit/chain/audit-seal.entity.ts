import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The position of an entry in its client's chain. Written after the entry, so that no change waits for another; deleted with the entry. */
export const auditSealTable = defineEntity({
  name: 'AuditSealEntity',
  tableName: 'audit_seal',
  ...ownedByClient,
  uniques: [{ name: 'audit_seal_entry_unique', properties: ['clientId', 'entryId'] }],
  properties: {
    clientId: columns.clientId(),
    /** From 1, without gaps. */
    position: p.bigint('number').primary(),
    entryId: columns.reference(),
    /** SHA-256 of the previous hash and the entry: `hashOf` of `audit/chain/chain.ts`. */
    hash: p.blob(),
  },
});

export class AuditSealEntity extends auditSealTable.class {}
auditSealTable.setClass(AuditSealEntity);
