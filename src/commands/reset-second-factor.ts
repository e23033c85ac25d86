import { create } from '@bufbuild/protobuf';
import { ResetConsoleUserSecondFactorRequestSchema } from '../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { usersOfEmail } from '../clients/sign-in/sign-in.queries.ts';
import { resetConsoleUserSecondFactor } from '../clients/users/reset-console-user-second-factor.ts';
import type { Config } from '../app/config.ts';
import { parseId } from '../kernel/ids.ts';
import { createCommandLogger } from '../app/logger.ts';
import { openServiceDatabase } from './database/open-service-database.ts';
import { operatorsCall } from './operator.ts';

/** The owner of a second factor. */
export type FactorOwner = { readonly client?: string | undefined; readonly email?: string | undefined };

/**
 * `laurel users reset-second-factor`: switches off the second factor of a user without a colleague who could do it, such as the last
 * administrator. A user of this command controls the database.
 */
export async function resetSecondFactor(config: Config, { client, email }: FactorOwner): Promise<void> {
  const clientId = parseId(client ?? '');
  if (!clientId || !email) throw new Error('Send --client with the UUID of the client, and --email with the address.');
  const database = await openServiceDatabase(config, createCommandLogger());
  try {
    const [user] = await usersOfEmail(database.db, { email, clientId });
    if (user === undefined) throw new Error(`The client ${clientId} has no user ${email}.`);
    const request = create(ResetConsoleUserSecondFactorRequestSchema, { id: user.id });
    await resetConsoleUserSecondFactor(operatorsCall(database.db, clientId), request);
    console.log(`The second factor of ${email} is off. The password is as before; open sessions have ended.`);
  } finally {
    await database.close();
  }
}
