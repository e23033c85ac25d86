import { create } from '@bufbuild/protobuf';
import { createValidator } from '@bufbuild/protovalidate';
import { CreateClientRequestSchema } from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { createClient } from '../clients/create-client.ts';
import type { Config } from '../app/config.ts';
import { createCommandLogger } from '../app/logger.ts';
import { openServiceDatabase } from './database/open-service-database.ts';
import { operatorsCall } from './operator.ts';

/** The options of a client on the command line. */
export type ClientOptions = { readonly name?: string | undefined; readonly 'time-zone'?: string | undefined };

/** The nil UUID: the command acts without a credential. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * `laurel clients create`: creates a client and prints its id. The API requires a SERVICE_ADMIN for this, and a new database has none.
 * @throws Error if the name is missing or the time zone is unknown
 */
export async function createFirstClient(config: Config, { name, 'time-zone': timeZone }: ClientOptions): Promise<void> {
  if (!name) throw new Error("Send --name with the client's name, and --time-zone if its days are not those of UTC.");
  const request = create(CreateClientRequestSchema, { name, timeZone });
  const { violations = [] } = createValidator().validate(CreateClientRequestSchema, request);
  if (violations.length > 0) throw new Error(violations.map(({ message }) => message).join(' '));
  const database = await openServiceDatabase(config, createCommandLogger());
  try {
    const { client } = await createClient(operatorsCall(database.db, NOBODY), request);
    console.log(client?.id);
  } finally {
    await database.close();
  }
}
