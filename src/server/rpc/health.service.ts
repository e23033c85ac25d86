import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { type Health, HealthCheckResponse_ServingStatus as Status } from '../../../gen/grpc/health/v1/health_pb.ts';
import { createHealthWatch } from './health-watch.ts';
import type { Operations } from './operations.ts';
import type { Readiness } from '../readiness.ts';

/**
 * grpc.health.v1: `SERVING` exactly while `/readyz` answers 200. All services depend on the same database.
 * @param shutdown ends the watches, after they have sent that the service no longer serves
 */
export function healthService(
  operations: Operations,
  readiness: Readiness,
  shutdown: AbortSignal,
): ServiceImpl<typeof Health> {
  const isKnown = (name: string) => name === '' || operations.services.some(({ typeName }) => typeName === name);
  const status = async () => ((await readiness.reason()) === undefined ? Status.SERVING : Status.NOT_SERVING);
  const watch = createHealthWatch(status, shutdown);
  return {
    async check({ service }) {
      if (!isKnown(service)) throw new ConnectError(`There is no service ${service}.`, Code.NotFound);
      return { status: await status() };
    },
    watch({ service }, { signal }) {
      return isKnown(service) ? watch.serving(signal) : watch.unknown(signal);
    },
    async list() {
      const current = await status();
      return {
        statuses: Object.fromEntries(operations.services.map(({ typeName }) => [typeName, { status: current }])),
      };
    },
  };
}
