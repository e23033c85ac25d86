import { create } from '@bufbuild/protobuf';
import { createValidator } from '@bufbuild/protovalidate';
import { CreateConsoleUserRequestSchema } from '../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { Role } from '../../gen/laurel/auth/v1/options_pb.ts';
import { clientExists } from '../clients/credentials/authenticate.queries.ts';
import { USER_ROLES } from '../clients/permissions.ts';
import { createConsoleUser } from '../clients/users/create-console-user.ts';
import type { Config } from '../app/config.ts';
import { parseId } from '../kernel/ids.ts';
import { createCommandLogger } from '../app/logger.ts';
import { openServiceDatabase } from './database/open-service-database.ts';
import { operatorsCall } from './operator.ts';

/** The options of a user on the command line. */
export type UserOptions = {
  readonly client?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly role?: string | undefined;
};

/**
 * `laurel users create`: creates a console user and prints the password only once. A user of this command controls the database, so it may
 * create the first SERVICE_ADMIN.
 */
export async function createUser(
  config: Config,
  { client, email, name, role = 'CLIENT_ADMIN' }: UserOptions,
): Promise<void> {
  const clientId = parseId(client ?? '');
  if (!clientId || !email) throw new Error('Send --client with the UUID of the client, and --email with the address.');
  const known = USER_ROLES.find((each) => each === role);
  if (known === undefined) throw new Error(`--role must be one of ${USER_ROLES.join(', ')}, not '${role}'.`);
  const request = create(CreateConsoleUserRequestSchema, { email, name, role: Role[known] });
  const { violations = [] } = createValidator().validate(CreateConsoleUserRequestSchema, request);
  if (violations.length > 0) throw new Error(violations.map(({ message }) => message).join(' '));
  const database = await openServiceDatabase(config, createCommandLogger());
  try {
    if (!(await clientExists(database.db, clientId))) throw new Error(`There is no client ${clientId}.`);
    const { password } = await createConsoleUser(operatorsCall(database.db, clientId), request);
    console.log(password);
  } finally {
    await database.close();
  }
}
