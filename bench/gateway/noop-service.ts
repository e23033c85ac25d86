import { TriggerService } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { routes } from '../../gen/routes.ts';
import { authenticator } from '../../src/clients/credentials/authenticate.ts';
import { entities } from '../../src/app/entities.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { systemClock } from '../../src/kernel/time/clock.ts';
import { createLogger } from '../../src/app/logger.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { restErrors } from '../../src/server/rpc/connect-error.ts';
import type { Exchange } from '../../src/server/http/exchange.ts';
import { createOperations } from '../../src/server/rpc/operations.ts';
import { startServer } from '../../src/server/server.ts';

/** The server with the wiring of `startApp` and one empty operation. Serves until it is killed. */
const logger = createLogger('info');
const db = await openDatabase({ url: process.env['DATABASE_URL'] ?? '', entities, poolMax: 2, logger });
const operations = createOperations({ logger });
operations.add(TriggerService, { emitTrigger: () => ({}) });

const { port } = await startServer({
  port: 0,
  host: '127.0.0.1',
  operations,
  rest: createGateway<Exchange>({ routes, invoke: operations.invoke, errorOf: restErrors(logger) }),
  authenticator: authenticator(db, systemClock, logger),
  db,
  logger,
});
logger.info({ port }, 'serves');
