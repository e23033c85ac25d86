// docs/merging.md: each row of the table of refusals is played through the service.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';
import { newScene, rowsOf, type Scene } from './merging-scene.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

const mergeBody = ({ b }: Scene, fields = {}) => ({ intoAccountId: b, progress: 'SUM', ...fields });
const NOBODY = '00000000-0000-7000-8000-000000000000';

/** The answers of each row of refusals: all of them are the cell's. */
const refusals: Readonly<Record<string, (scene: Scene) => Promise<string[]>>> = {
  'one of the accounts is unknown or deleted': async (scene) => {
    const { a, account, answer, ok } = scene;
    const gone = await account('C');
    await ok('DELETE', `/accounts/${gone}`);
    return [
      await answer('POST', `/accounts/${NOBODY}/merge`, mergeBody(scene)),
      await answer('POST', `/accounts/${a}/merge`, mergeBody(scene, { intoAccountId: gone })),
    ];
  },
  'both ids reach one account': async (scene) => {
    const { a, answer, merge } = scene;
    const same = await answer('POST', `/accounts/${a}/merge`, mergeBody(scene, { intoAccountId: a }));
    await merge();
    return [same, await answer('POST', `/accounts/${a}/merge`, mergeBody(scene))];
  },
  '`progress` is left out': async ({ a, b, answer }) => [
    await answer('POST', `/accounts/${a}/merge`, { intoAccountId: b }),
  ],
  'A or B is suspended': async (scene) => {
    const { a, b, answer, ok } = scene;
    const answers: string[] = [];
    for (const id of [a, b]) {
      await ok('POST', `/admin/accounts/${id}/suspend`, { reason: 'A scene' });
      answers.push(await answer('POST', `/accounts/${a}/merge`, mergeBody(scene)));
      await ok('POST', `/admin/accounts/${id}/resume`, { events: 'APPLY', reason: 'A scene' });
    }
    return answers;
  },
  'points or attributes of both together are too many': async (scene) => {
    for (const id of [scene.a, scene.b]) await scene.adjust(id, 5);
    const has = (available: number) =>
      scene.own(
        'update point_balance set available = $3 where client_id = $1 and account_id = any($2::uuid[])',
        [scene.a, scene.b],
        available,
      );
    await has(500_000_000_000);
    const refused = await scene.answer('POST', `/accounts/${scene.a}/merge`, mergeBody(scene));
    await has(5);
    return [refused];
  },
  'no permission MERGE_ACCOUNTS': async (scene) => [await asViewer(scene)],
  'a repeat with the same `operationId`': async (scene) => {
    await scene.adjust(scene.a, 5);
    const body = mergeBody(scene, { operationId: scene.code });
    const [first, again] = [
      await scene.call('POST', `/accounts/${scene.a}/merge`, body),
      await scene.call('POST', `/accounts/${scene.a}/merge`, body),
    ];
    expect(again.body).toEqual(first.body);
    expect(await scene.points(scene.b)).toMatchObject({ available: 5 });
    return ['the stored answer; nothing happens again'];
  },
  'a repeat without an `operationId`': async (scene) => {
    await scene.merge();
    return [await scene.answer('POST', `/accounts/${scene.a}/merge`, mergeBody(scene))];
  },
};

/** The answer to a merge by a console user who only looks. */
async function asViewer(scene: Scene): Promise<string> {
  const email = `${scene.code.toLowerCase()}@example.com`;
  const user = { email, name: 'Viewer', role: 'VIEWER' };
  const { password } = await scene.ok('POST', '/admin/users', user);
  const signedIn = await service.rest('POST', '/admin/session/sign-in', { email, password }, '');
  const changes = { currentPassword: password, newPassword: 'correct horse battery staple' };
  const changed = await service.rest('POST', '/admin/session/change-password', changes, signedIn.body.accessToken);
  expect(changed.status).toBe(200);
  const again = await service.rest('POST', '/admin/session/sign-in', { email, password: changes.newPassword }, '');
  const { status, body } = await service.rest(
    'POST',
    `/accounts/${scene.a}/merge`,
    mergeBody(scene),
    again.body.accessToken,
  );
  return `${status} \`${body.code}\``;
}

describe('the table of refusals', () => {
  const rows = rowsOf('The call');
  test('has a play for each row', () => {
    expect(rows.map(([head]) => head)).toEqual(Object.keys(refusals));
  });
  test.each(rows)('%s: %s', async (call, cell) => {
    const answers = await refusals[call]!(await newScene(service));
    for (const answer of answers) expect(cell.slice(0, answer.length)).toBe(answer);
  });
});
