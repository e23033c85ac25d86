import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { TriggerService } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { soakSeconds } from '../bounds.ts';

/** Backends that send one event after the other and repeat none. */
export type SteadyCallers = {
  readonly answered: number;
  /** The errors of the callers. */
  readonly failures: readonly string[];
  /** Lets started calls finish. */
  stop(): Promise<void>;
};

export type SteadyCallersOptions = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly callers: number;
  readonly accountId: string;
  /** The trusted certificate in PEM; plaintext if left out. */
  readonly ca?: Buffer | undefined;
};

/** Calls over REST with persistent connections, as backends do. */
export function startRestCallers({ baseUrl, apiKey, callers, accountId, ca }: SteadyCallersOptions): SteadyCallers {
  const agent = ca ? new https.Agent({ keepAlive: true, ca }) : new http.Agent({ keepAlive: true });
  const { request: requestTo } = ca ? https : http;
  const body = JSON.stringify({ programmaticCode: 'LOGIN', idType: 'EXTERNAL', accountId });
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  const send = () =>
    new Promise<void>((resolve, reject) => {
      const request = requestTo(`${baseUrl}/gamification/triggers`, { method: 'POST', agent, headers }, (answer) => {
        answer.on('error', reject).resume();
        answer.once('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${answer.statusCode}`))));
      });
      request.once('error', reject).end(body);
    });
  return startCallers(callers, send, () => agent.destroy());
}

/** Calls over gRPC with one channel, as stubs do. The library's automatic repeats are allowed. */
export function startGrpcCallers({ baseUrl, apiKey, callers, accountId, ca }: SteadyCallersOptions): SteadyCallers {
  const client = new Client(new URL(baseUrl).host, ca ? credentials.createSsl(ca) : credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${apiKey}`);
  const { emitTrigger } = TriggerService.method;
  const request = create(emitTrigger.input, {
    trigger: { programmaticCode: 'LOGIN', idType: Account_IdType.EXTERNAL, accountId },
  });
  const send = () =>
    new Promise<void>((resolve, reject) => {
      client.makeUnaryRequest(
        `/${TriggerService.typeName}/${emitTrigger.name}`,
        () => Buffer.from(toBinary(emitTrigger.input, request)),
        (bytes: Buffer) => fromBinary(emitTrigger.output, bytes),
        request,
        metadata,
        (error) => (error === null ? resolve() : reject(error)),
      );
    });
  return startCallers(callers, send, () => client.close());
}

/** The milliseconds between a caller's calls. Without a pause, callers use the whole machine, as in the long form. */
const PAUSE_MS = soakSeconds > 0 ? 0 : 40;

function startCallers(callers: number, send: () => Promise<void>, close: () => void): SteadyCallers {
  const stopping = new AbortController();
  const failures: string[] = [];
  let answered = 0;
  async function call(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await send();
        answered += 1;
      } catch (error) {
        failures.push((error as Error).message);
      }
      if (PAUSE_MS > 0) await sleep(PAUSE_MS);
    }
  }
  const all = Promise.all(Array.from({ length: callers }, call));
  return {
    failures,
    get answered() {
      return answered;
    },
    async stop() {
      stopping.abort();
      await all;
      close();
    },
  };
}
