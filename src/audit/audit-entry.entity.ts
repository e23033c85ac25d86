import type { JsonObject } from '@bufbuild/protobuf';
import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** One change by an administrator. Units of work of a client may only add and read entries. */
export const auditEntryTable = defineEntity({
  name: 'AuditEntryEntity',
  tableName: 'audit_entry',
  ...ownedByClient,
  indexes: [{ name: 'audit_entry_resource', properties: ['clientId', 'resourceType', 'resourceId', 'id'] }],
  properties: {
    clientId: columns.clientId(),
    /** A UUIDv7: the log is read and deleted in the order of the key. */
    id: columns.id(),
    createdAt: columns.createdAt(),
    actorType: columns.oneOf(['USER', 'CREDENTIAL', 'COMMAND_LINE', 'UNKNOWN']),
    /** Null for the command line and for an unknown caller. */
    actorId: columns.reference().nullable(),
    actorName: columns.text(),
    /** `CampaignAdminService.ActivateCampaign`, `SessionService.SignInFailed`, `CommandLine.Migrate` */
    operation: columns.text(),
    resourceType: columns.text(),
    resourceId: columns.text().nullable(),
    note: columns.text().nullable(),
    /** The resource before the change, as in the API; null for a creation. */
    before: p.json<JsonObject>().nullable(),
    /** The resource after the change, as in the API; null for a removal. */
    after: p.json<JsonObject>().nullable(),
  },
});

export class AuditEntryEntity extends auditEntryTable.class {}
auditEntryTable.setClass(AuditEntryEntity);
