import { create } from '@bufbuild/protobuf';
import { Credential_Kind } from '../../gen/laurel/admin/v1/credential_pb.ts';
import { CreateCredentialRequestSchema } from '../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import { Role } from '../../gen/laurel/auth/v1/options_pb.ts';
import { createCredential } from '../clients/credentials/create-credential.ts';
import type { Config } from '../app/config.ts';
import { parseId } from '../kernel/ids.ts';
import { createCommandLogger } from '../app/logger.ts';
import { openServiceDatabase } from './database/open-service-database.ts';
import { operatorsCall } from './operator.ts';

/** The options of a key on the command line. */
export type KeyOptions = {
  readonly client?: string | undefined;
  readonly name?: string | undefined;
  readonly kind?: string | undefined;
  readonly role?: string | undefined;
};

const KINDS: Readonly<Record<string, Credential_Kind>> = {
  API_KEY: Credential_Kind.API_KEY,
  ACCESS_TOKEN: Credential_Kind.ACCESS_TOKEN,
};

const ROLES: Readonly<Record<string, Role>> = { CLIENT_ADMIN: Role.CLIENT_ADMIN, SERVICE_ADMIN: Role.SERVICE_ADMIN };

/**
 * `laurel keys create`: creates a credential and prints it only once. A user of this command controls the database, so it may create the
 * first SERVICE_ADMIN.
 */
export async function createKey(config: Config, { client, name, kind = 'API_KEY', role }: KeyOptions): Promise<void> {
  const clientId = parseId(client ?? '');
  if (!clientId || !name)
    throw new Error('Send --client with the UUID of the client, and --name with a name for the key.');
  const kindNumber = KINDS[kind];
  if (kindNumber === undefined) throw new Error(`--kind must be API_KEY or ACCESS_TOKEN, not '${kind}'.`);
  if (role !== undefined && ROLES[role] === undefined)
    throw new Error(`--role must be CLIENT_ADMIN or SERVICE_ADMIN, not '${role}'.`);
  const database = await openServiceDatabase(config, createCommandLogger());
  try {
    const request = create(CreateCredentialRequestSchema, {
      kind: kindNumber,
      name,
      role: role === undefined ? Role.ROLE_UNSPECIFIED : ROLES[role],
    });
    const { secret } = await createCredential(operatorsCall(database.db, clientId), request);
    console.log(secret);
  } finally {
    await database.close();
  }
}
