import {
  clientPool,
  cut,
  type PooledClient,
  type StatementConnection,
  statementsOn,
} from '../../../src/persistence/driver/driver.ts';
import { type FakeConnection, fakeServer } from './fake-server.ts';

/** A connection of the driver to a test's server. */
export type Driven = {
  readonly server: FakeConnection;
  readonly port: number;
  readonly client: PooledClient;
  readonly statements: StatementConnection;
  /** The error of the lost connection, as its user gets it. */
  readonly losses: readonly Error[];
  close(): Promise<void>;
};

/** The settings of the connection. */
export type DrivenOptions = {
  readonly greeting?: Buffer;
  readonly preparedStatements?: boolean;
  readonly awaitsAnswers?: () => boolean;
};

/**
 * Connects.
 * @returns after the server's greeting
 */
export async function drive(options: DrivenOptions = {}): Promise<Driven> {
  const { greeting, preparedStatements = true, awaitsAnswers = () => false } = options;
  const fake = await fakeServer(greeting);
  const losses: Error[] = [];
  let statements: StatementConnection | undefined;
  const pool = clientPool({
    url: fake.url,
    name: 'driven',
    clientsMax: 1,
    acquireMs: 5_000,
    idleMs: 5_000,
    lifetimeMs: 60_000,
    onConnect(client) {
      client.on('error', (error) => losses.push(error));
      statements = statementsOn(client, { preparedStatements, awaitsAnswers });
    },
    onAcquire: () => {},
    onRelease: () => {},
    onIdleLost: () => {},
  });
  const client = await pool.connect();
  return {
    server: await fake.connection(),
    port: fake.port,
    client,
    statements: statements!,
    losses,
    async close() {
      cut(client);
      client.release(true);
      await pool.end();
      await fake.close();
    },
  };
}
