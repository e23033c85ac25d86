import { pageTables } from '../../support/page-tables.ts';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { RestAnswer, TestService } from '../../support/service.ts';

export type Json = RestAnswer['body'];

const page = readFileSync(new URL('../../../docs/merging.md', import.meta.url), 'utf8');

/** The rows of the table of docs/merging.md whose first heading is `head`: their cells. */
export function rowsOf(head: string): string[][] {
  const tables = pageTables(page);
  const [, , ...rows] = tables.find(([columns]) => columns![0] === head) ?? [];
  return rows;
}

let scenes = 0;

/** Two accounts of a service, `a` to be merged into `b`, and calls on them. */
export async function newScene(service: TestService) {
  scenes += 1;
  const name = (letter: string) => `${letter} of scene ${scenes}`;
  const code = `SCENE_${scenes}`;
  const call = (method: string, path: string, body?: Json) => service.rest(method, path, body);
  async function ok(method: string, path: string, body?: Json): Promise<Json> {
    const answer = await call(method, path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }
  const account = async (letter: string): Promise<string> =>
    (await ok('POST', '/accounts', { externalId: name(letter), name: `Name of ${letter}` }))['id'];
  const [a, b] = [await account('A'), await account('B')];
  const own = <Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> =>
    service.db.unitOfWork(service.clientId, (uow) => uow.query<Row>(text, [service.clientId, ...values]));
  return {
    ...{ a, b, code, name, call, ok, account, own },
    /** An answer as the page shows it. */
    async answer(method: string, path: string, body?: Json): Promise<string> {
      const { status, body: refused } = await call(method, path, body);
      return status < 300 ? String(status) : `${status} \`${refused.code}\``;
    },
    merge: (fields: Json = {}, from = a, into = b): Promise<Json> =>
      ok('POST', `/accounts/${from}/merge`, { intoAccountId: into, progress: 'SUM', ...fields }),
    undo: (mergeId: string, into = b) => call('POST', `/accounts/${into}/merges/${mergeId}/undo`, {}),
    send: (accountId: string, fields: Json = {}) =>
      ok('POST', '/gamification/triggers', { programmaticCode: code, accountId, ...fields }),
    points: (accountId: string) => ok('GET', `/loyalty/accounts/${accountId}/points`),
    adjust: (accountId: string, amount: number, fields: Json = {}) =>
      ok('POST', `/admin/accounts/${accountId}/points/adjust`, { amount, reason: 'A scene', ...fields }),
    /** The number of rows that a table has of an account. */
    async rows(table: string, accountId: string): Promise<number> {
      const [row] = await own<{ count: number }>(
        `select count(*)::int as count from ${table} where client_id = $1 and account_id = $2`,
        accountId,
      );
      return row!.count;
    },
    /** A mission of events of the scene for everybody. */
    async mission(target: number, fields: Json = {}): Promise<string> {
      await ok('POST', '/admin/event-definitions', { programmaticCode: code, type: 'SINGLE' });
      const { id: audienceId } = await ok('POST', '/admin/audiences', { name: code, kind: 'EVERYONE' });
      const mission = { type: 'MISSION', name: code, programmaticCode: code, target, rewardIds: [], ...fields };
      await ok('POST', '/admin/missions', { audienceId, mission });
      return audienceId;
    },
    /** The progress of an account in the missions of the scene. */
    async progress(accountId: string): Promise<number> {
      const [row] = await ok('GET', `/v1/gamification/missions/progress/${accountId}`);
      return row?.progress ?? 0;
    },
    reward: async (fields: Json): Promise<string> =>
      (await ok('POST', '/admin/rewards', { name: code, amount: 1, ...fields }))['id'],
    product: async (fields: Json): Promise<string> =>
      (await ok('POST', '/admin/products', { name: code, stockMode: 'COUNTED', stock: 0, ...fields }))['id'],
    grant: (accountId: string, rewardId: string) =>
      ok('POST', `/admin/accounts/${accountId}/rewards/grant`, { rewardId, reason: 'A scene' }),
    /** A campaign of one mission of the scene, which accounts claim for a point. */
    async campaign(): Promise<string> {
      await ok('POST', '/admin/event-definitions', { programmaticCode: code, type: 'SINGLE' });
      const audience = await ok('POST', '/admin/audiences', { name: code, kind: 'EVERYONE' });
      const reward = await ok('POST', '/admin/rewards', { name: code, type: 'POINTS', amount: 1 });
      const { id } = await ok('POST', '/admin/campaigns', {
        ...{ name: code, audienceIds: [audience.id], rewardIds: [reward.id], claimPolicy: 'EXPLICIT' },
        missions: [{ type: 'MISSION', name: code, programmaticCode: code, target: 1 }],
      });
      await ok('POST', `/admin/campaigns/${id}/activate`);
      return id;
    },
    /** An audience whose accounts are assigned. */
    audience: async (accountIds: readonly string[]): Promise<string> => {
      const { id } = await ok('POST', '/admin/audiences', { name: code, kind: 'MANUAL' });
      if (accountIds.length > 0) await ok('POST', `/gamification/audiences/${id}/accounts/assign`, { accountIds });
      return id;
    },
  };
}

export type Scene = Awaited<ReturnType<typeof newScene>>;
