import type { JsonObject } from '@bufbuild/protobuf';
import { defineEntity, p } from '@mikro-orm/core';
import type { PastZone } from '../kernel/time/zone-history.ts';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';

/** The index that refuses a second account with an external id. */
export const EXTERNAL_ID_UNIQUE = 'account_external_id_unique';

/** An end user of the integrator's platform, anonymous unless the integrator sends more data. */
export const accountTable = defineEntity({
  name: 'AccountEntity',
  tableName: 'account',
  ...ownedByClient,
  uniques: [
    // The external id of a deleted account is free again.
    { name: EXTERNAL_ID_UNIQUE, properties: ['clientId', 'externalId'], where: 'deleted_at is null' },
  ],
  indexes: [
    // The aliases of an account.
    { name: 'account_merged', properties: ['clientId', 'mergedInto'], where: 'merged_into is not null' },
    // The latest revocations of all clients.
    { name: 'account_tokens_revoked', properties: ['tokensValidFrom'], where: 'tokens_valid_from is not null' },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    /** The integrator's own id, compared byte by byte. */
    externalId: columns.byteExactText().nullable(),
    email: columns.text().nullable(),
    name: columns.text().nullable(),
    /** IANA name; null means the client's zone. */
    timeZone: columns.text().nullable(),
    /** The earlier zones, oldest first; null for most accounts. The calendar of its periods uses them. */
    pastZones: p.json<readonly PastZone[]>().nullable(),
    /** Values of the attributes that the client declares; null without any. */
    attributes: p.json<JsonObject>().nullable(),
    createdAt: columns.createdAt(),
    updatedAt: columns.changedAt(),
    deletedAt: columns.moment().nullable(),
    /** Set while the account is suspended: its events wait, and it gets and spends nothing. */
    suspendedAt: columns.moment().nullable(),
    /**
     * The account into which this one was merged, never merged itself: then the row is only an alias, whose id and external id lead there.
     * Null for an account.
     */
    mergedInto: columns.reference().nullable(),
    /** Account tokens that were issued until then are revoked; null if none were. */
    tokensValidFrom: columns.moment().nullable(),
  },
});

export class AccountEntity extends accountTable.class {}
accountTable.setClass(AccountEntity);
