import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Rest } from '../../support/service.ts';
import { callOnce, isDecided } from './persistent-callers.ts';

/** Measures the recovery of hosts after a fault. */
export type Recoveries = {
  /** Resolves after every host is ready and has answered some test events, with the seconds of each host. */
  after(fault: string): Promise<readonly number[]>;
  /** The maximum seconds of each host, by fault. */
  readonly worst: ReadonlyMap<string, readonly number[]>;
  /** Compares the answered events with the count of the mission. */
  check(rest: Rest, missionId: string): Promise<void>;
};

/** Events that a host must answer one after the other, so that more than its best connection is tested. */
const EVENTS = 5;

/** The maximum seconds of a recovery; most of it is a margin for a busy machine, and for a host behind a pooler. */
const TIMEOUT_S = 60;

/** @param hosts read again for each attempt; their order does not change */
export function watchRecoveries(hosts: () => readonly string[], apiKey: string): Recoveries {
  const worst = new Map<string, readonly number[]>();
  const answered = hosts().map(() => 0);

  const call = (host: number, path: string, body?: object) =>
    callOnce(body ? 'POST' : 'GET', hosts()[host]! + path, apiKey, body);

  async function answersAnEvent(host: number, until: AbortSignal): Promise<void> {
    const operationId = `recovery-${host}-${answered[host]}`;
    const event = { programmaticCode: 'LOGIN', accountId: `recovery-${host}`, idType: 'EXTERNAL', operationId };
    while (!until.aborted) {
      const answer = await call(host, '/gamification/triggers', event);
      if (isDecided(answer)) {
        expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
        answered[host]! += 1;
        return;
      }
      await sleep(50);
    }
  }

  async function works(host: number, until: AbortSignal): Promise<void> {
    for (let event = 0; event < EVENTS; event += 1) await answersAnEvent(host, until);
    while (!until.aborted && (await call(host, '/readyz')).status !== 200) await sleep(50);
  }

  return {
    worst,
    async after(fault) {
      const begun = performance.now();
      const until = AbortSignal.timeout(TIMEOUT_S * 1_000);
      const slow = new Set(hosts().keys());
      const seconds = await Promise.all(
        hosts().map(async (_, host) => {
          await works(host, until);
          if (!until.aborted) slow.delete(host);
          return (performance.now() - begun) / 1_000;
        }),
      );
      expect([...slow], `hosts that did not work for ${TIMEOUT_S} s after "${fault}"`).toEqual([]);
      const before = worst.get(fault);
      worst.set(
        fault,
        seconds.map((took, host) => Math.max(took, before?.[host] ?? 0)),
      );
      return seconds;
    },
    async check(rest, missionId) {
      for (const [host, events] of answered.entries()) {
        if (events === 0) continue;
        const { body } = await rest('GET', `/v1/gamification/missions/progress/recovery-${host}?idType=EXTERNAL`);
        expect(body).toContainEqual(expect.objectContaining({ missionId, progress: events }));
      }
    },
  };
}
