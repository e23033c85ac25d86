import { expect } from 'vitest';
import type { Rest, Tenant } from '../../support/service.ts';
import { startGrpcCallers, startRestCallers } from './steady-callers.ts';

/** Callers behind a balancer that repeat no call, while its hosts are restarted. */
export type RollingCallers = {
  /** Runs the callers from before the restarts until after them. */
  whileCalled(restarts: () => Promise<void>): Promise<void>;
  readonly counts: { readonly calls: number; readonly failed: number };
  /** Checks that no call failed, and that the mission counted each. */
  check(rest: Rest, missionId: string): Promise<void>;
};

const CALLERS = 4;

/** The callers begin with the restarts; `baseUrl` is the balancer's. */
export function rollingCallers(baseUrl: string, { apiKey }: Tenant): RollingCallers {
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
      const all = kinds.map(([accountId, start]) => start({ baseUrl, apiKey, callers: CALLERS, accountId }));
      try {
        await restarts();
      } finally {
        await Promise.all(all.map((callers) => callers.stop()));
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
