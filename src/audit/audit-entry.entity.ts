import type { JsonObject } from '@bufbuild/protobuf';
import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** One change by an administrator. Units of work of a client may add entries and read them, and nothing else. */
export const auditEntryTable = defineEntity({
  name: 'AuditEntryEntity',
  tableName: 'audit_entry',
  ...ownedByClient,
  indexes: [{ name: 'audit_entry_resource', properties: ['clientId', 'resourceType', 'resourceId', 'id'] }],
  properties: {
    clientId: columns.clientId(),
    /** A UUIDv7: the log is read and cleared along the key. */
    id: columns.id(),
    createdAt: columns.createdAt(),
    actorType: columns.oneOf(['USER', 'CREDENTIAL', 'COMMAND_LINE', 'UNKNOWN']),
    /** Null for the command line and for somebody unknown. */
    actorId: columns.reference().nullable(),
    actorName: columns.text(),
    /** `CampaignAdminService.ActivateCampaign`, `SessionService.SignInFailed`, `CommandLine.Migrate` */
    operation: columns.text(),
    resourceType: columns.text(),
    resourceId: columns.text().nullable(),
    note: columns.text().nullable(),
    /** As the API showed it; null where it was created. */
    before: p.json<JsonObject>().nullable(),
    /** As the API showed it; null where it was removed. */
    after: p.json<JsonObject>().nullable(),
  },
});

export class AuditEntryEntity extends auditEntryTable.class {}
auditEntryTable.setClass(AuditEntryEntity);
