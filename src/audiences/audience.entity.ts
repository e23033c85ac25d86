import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** Accounts that campaigns address together. */
export const audienceTable = defineEntity({
  name: 'AudienceEntity',
  tableName: 'audience',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    name: columns.text(),
    description: columns.text().default(''),
    /** An EVERYONE audience has no member rows: it contains every account of the client. */
    kind: columns.oneOf(['MANUAL', 'EVERYONE', 'RULE']),
    /** The expression of a RULE audience; null for other kinds. Its members have no rows either. */
    expression: columns.text().nullable(),
    /** Increases with every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
    deletedAt: columns.moment().nullable(),
  },
});

export class AudienceEntity extends audienceTable.class {}
audienceTable.setClass(AudienceEntity);
