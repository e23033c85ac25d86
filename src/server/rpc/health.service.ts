import { setTimeout as wait } from 'node:timers/promises';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { type Health, HealthCheckResponse_ServingStatus as Status } from '../../../gen/grpc/health/v1/health_pb.ts';
import type { Operations } from './operations.ts';
import type { Readiness } from '../readiness.ts';

/** Milliseconds between two looks of a watch. */
const LOOK_EVERY = 1_000;

/**
 * grpc.health.v1: `SERVING` exactly while `/readyz` says 200. Every service here shares one fate, that of the database.
 * @param shutdown ends the watches, after they have told that the service no longer serves
 */
export function healthService(
  operations: Operations,
  readiness: Readiness,
  shutdown: AbortSignal,
): ServiceImpl<typeof Health> {
  const isKnown = (name: string) => name === '' || operations.services.some(({ typeName }) => typeName === name);
  const status = async () => ((await readiness.reason()) === undefined ? Status.SERVING : Status.NOT_SERVING);
  return {
    async check({ service }) {
      if (!isKnown(service)) throw new ConnectError(`There is no service ${service}.`, Code.NotFound);
      return { status: await status() };
    },
    async *watch({ service }, { signal }) {
      const ended = AbortSignal.any([signal, shutdown]);
      for (let told: Status | undefined; !signal.aborted;) {
        const now = isKnown(service) ? await status() : Status.SERVICE_UNKNOWN;
        if (now !== told) yield { status: now };
        if (shutdown.aborted) return;
        told = now;
        await wait(LOOK_EVERY, undefined, { signal: ended }).catch(() => {});
      }
    },
    async list() {
      const current = await status();
      return {
        statuses: Object.fromEntries(operations.services.map(({ typeName }) => [typeName, { status: current }])),
      };
    },
  };
}
