import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { TriggerService } from '../../gen/laurel/v1/trigger_service_pb.ts';

/** An empty operation behind Connect's own adapter: no authentication, validation, log or metrics. */
const server = createServer(
  connectNodeAdapter({ routes: (router) => router.service(TriggerService, { emitTrigger: () => ({}) }) }),
);

server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: (server.address() as AddressInfo).port })));
