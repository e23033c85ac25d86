import { setTimeout as sleep } from 'node:timers/promises';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { TriggerService } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { randomNumbers } from '../bounds.ts';

/** Sends events over gRPC until the service gives a final answer, from any of its hosts. */
export type PersistentGrpc = {
  /** @throws ServiceError for a final refusal of the event */
  emit(event: { programmaticCode: string; accountId: string; operationId: string }): Promise<void>;
  close(): void;
};

/** No answer, a temporary answer, or an attempt that is still in progress. */
const REPEATABLE = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.ABORTED,
  status.CANCELLED,
  status.INTERNAL,
  status.UNKNOWN,
]);

/** Milliseconds. */
const DEADLINE = 20_000;

/**
 * A caller that follows the guide, over one channel to each host: it repeats the event with its operation id to any of them.
 * @param addresses the hosts, `http://...`; they do not change
 */
export function persistentGrpc(addresses: readonly string[], token: string, seed: number): PersistentGrpc {
  const random = randomNumbers(seed);
  // The channel reconnects at once to a host that was down, not after its default of up to 2 minutes.
  const options = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 };
  const clients = addresses.map((url) => new Client(new URL(url).host, credentials.createInsecure(), options));
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  const { emitTrigger } = TriggerService.method;

  return {
    async emit(event) {
      const request = create(emitTrigger.input, { trigger: { ...event, idType: Account_IdType.EXTERNAL } });
      for (;;) {
        const client = clients[Math.floor(random() * clients.length)]!;
        const error = await new Promise<ServiceError | null>((resolve) => {
          client.makeUnaryRequest(
            `/${TriggerService.typeName}/${emitTrigger.name}`,
            () => Buffer.from(toBinary(emitTrigger.input, request)),
            (bytes: Buffer) => fromBinary(emitTrigger.output, bytes),
            request,
            metadata,
            { deadline: Date.now() + DEADLINE },
            resolve,
          );
        });
        if (error === null) return;
        if (!REPEATABLE.has(error.code)) throw error;
        await sleep(20 + 80 * random());
      }
    },
    close: () => clients.forEach((client) => client.close()),
  };
}
