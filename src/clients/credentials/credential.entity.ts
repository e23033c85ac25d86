import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** An API key or access token, without its secret. */
export const credentialTable = defineEntity({
  name: 'CredentialEntity',
  tableName: 'credential',
  ...ownedByClient,
  uniques: [{ name: 'credential_hash_unique', properties: ['clientId', 'hash'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    kind: columns.oneOf(['API_KEY', 'ACCESS_TOKEN']),
    role: columns.oneOf(['INTEGRATOR', 'CLIENT_ADMIN', 'SERVICE_ADMIN']),
    name: columns.text(),
    /** SHA-256 of the token; the token itself is shown once and never stored. */
    hash: p.blob(),
    /** The end of the token, by which people recognise it. */
    lastFour: columns.text(),
    createdAt: columns.createdAt(),
    expiresAt: columns.moment().nullable(),
    revokedAt: columns.moment().nullable(),
    lastUsedAt: columns.moment().nullable(),
  },
});

export class CredentialEntity extends credentialTable.class {}
credentialTable.setClass(CredentialEntity);
