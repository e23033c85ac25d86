import type { ServiceImpl } from '@connectrpc/connect';
import { pino } from 'pino';
import { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import { WebhookService } from '../../gen/laurel/v1/webhook_service_pb.ts';
import { routes } from '../../gen/routes.ts';
import type { Authenticator } from '../../src/clients/credentials/authenticate.ts';
import { missingCredential, type Principal } from '../../src/clients/principal.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { DomainError } from '../../src/kernel/errors/domain-error.ts';
import { restErrors } from '../../src/server/rpc/connect-error.ts';
import type { Exchange } from '../../src/server/http/exchange.ts';
import { createOperations, type Operations } from '../../src/server/rpc/operations.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/server.ts';

/** Principals by token; test/clients tests the credentials in a real database. */
export const PRINCIPALS: Readonly<Record<string, Principal>> = {
  integrator: { clientId: '01890a5d-ac96-774b-bcce-b302099a8057', credentialId: 'c-1', role: 'INTEGRATOR' },
  clientAdmin: { clientId: '01890a5d-ac96-774b-bcce-b302099a8057', credentialId: 'c-2', role: 'CLIENT_ADMIN' },
  neighbour: { clientId: '01890a5d-ac96-774b-bcce-b302099a8058', credentialId: 'c-4', role: 'INTEGRATOR' },
  serviceAdmin: { clientId: '01890a5d-ac96-774b-bcce-b302099a8057', credentialId: 'c-3', role: 'SERVICE_ADMIN' },
};

const byToken: Authenticator = {
  async authenticate({ authorization }) {
    if (authorization === undefined) throw missingCredential();
    const principal = PRINCIPALS[authorization.replace('Bearer ', '')];
    if (principal === undefined) throw new DomainError('UNAUTHENTICATED', 'The credential is not known.');
    return principal;
  },
  async close() {},
};

/** A log line as pino wrote it. */
export type LogLine = Record<string, unknown> & { msg: string };

/** A server on a free port of the loopback, and its log. */
export type TestServer = RunningServer & {
  readonly url: string;
  readonly log: LogLine[];
  readonly operations: Operations;
};

/** Starts a server whose account service answers as `accounts` says. `more` adds further services. */
export async function startTestServer(
  accounts: Partial<ServiceImpl<typeof AccountService>>,
  options: Partial<ServerOptions> = {},
  more?: (operations: Operations) => void,
): Promise<TestServer> {
  const log: LogLine[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => log.push(JSON.parse(line)) });
  const operations = createOperations({ logger });
  operations.add(AccountService, accounts);
  operations.add(WebhookService, {});
  more?.(operations);
  const server = await startServer({
    port: 0,
    host: '127.0.0.1',
    operations,
    rest: createGateway<Exchange>({ routes, invoke: operations.invoke, errorOf: restErrors(logger) }),
    authenticator: byToken,
    db: { ping: async () => {} },
    logger,
    ...options,
  });
  return { ...server, url: `http://127.0.0.1:${server.port}`, log, operations };
}
