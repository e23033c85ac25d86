import { expect } from 'vitest';
import type { Rest, Tenant } from '../../support/service.ts';
import type { Balancer } from './balancer.ts';
import { startGrpcCallers, startRestCallers } from './steady-callers.ts';

/** Callers behind a balancer that repeat no call, while its hosts are restarted. */
export type RollingCallers = {
  /** Runs the callers from before the restarts until after them. */
  whileCalled(restarts: () => Promise<void>): Promise<void>;
  readonly counts: { readonly calls: number; readonly failed: number };
  /** Checks that no call failed, that the balancer passed on every connection, and that the mission counted each. */
  check(rest: Rest, missionId: string): Promise<void>;
};

const CALLERS = 4;

/**
 * The callers begin with the restarts, as soon as the balancer has every host: nobody restarts one of two hosts while the other is still
 * out after a fault.
 */
export function rollingCallers(balancer: Balancer, hosts: number, { apiKey }: Tenant): RollingCallers {
  const { baseUrl } = balancer;
  const failures: string[] = [];
  const answered = { 'rolling-rest': 0, 'rolling-grpc': 0 };
  const kinds = [
    ['rolling-rest', startRestCallers],
    ['rolling-grpc', startGrpcCallers],
  ] as const;

  return {
    get counts() {
      return { calls: answered['rolling-rest'] + answered['rolling-grpc'], failed: failures.length };
    },
    async whileCalled(restarts) {
      await expect.poll(balancer.ready, { timeout: 30_000 }).toHaveLength(hosts);
      const before = balancer.refusals.length;
      const all = kinds.map(([accountId, start]) => start({ baseUrl, apiKey, callers: CALLERS, accountId }));
      try {
        await restarts();
      } finally {
        await Promise.all(all.map((callers) => callers.stop()));
        failures.push(...balancer.refusals.slice(before));
        for (const [index, [accountId]] of kinds.entries()) {
          answered[accountId] += all[index]!.answered;
          failures.push(...all[index]!.failures.map((words) => `${accountId}: ${words}`));
        }
      }
    },
    async check(rest, missionId) {
      expect(failures).toEqual([]);
      for (const [accountId, events] of Object.entries(answered)) {
        if (events === 0) continue;
        const { body } = await rest('GET', `/v1/gamification/missions/progress/${accountId}?idType=EXTERNAL`);
        expect(body).toContainEqual(expect.objectContaining({ missionId, progress: events }));
      }
    },
  };
}
