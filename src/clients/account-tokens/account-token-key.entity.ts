import { defineEntity, p } from '@mikro-orm/core';
import type { JWK } from 'jose';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A key that signs account tokens of every client; so its rows belong to no client and have the nil UUID. */
export const accountTokenKeyTable = defineEntity({
  name: 'AccountTokenKeyEntity',
  tableName: 'account_token_key',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    /** The `kid` of its tokens. */
    id: columns.id(),
    /** The public key, which is published. */
    publicKey: p.json<JWK>(),
    /** The private key as a JWK in JSON, sealed. */
    privateKeySealed: columns.text(),
    /** It signs from then on, until the next key does. Before, other processes and readers of the published keys learn it. */
    signsFrom: columns.moment(),
    createdAt: columns.createdAt(),
  },
});

export class AccountTokenKeyEntity extends accountTokenKeyTable.class {}
accountTokenKeyTable.setClass(AccountTokenKeyEntity);
