// docs/merging.md: each row of the table of ids is played through the service.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../support/service.ts';
import { download, load } from '../imports/files.ts';
import { newOffer } from '../marketplace/shop.ts';
import { differences } from '../rewards/provision.ts';
import { untilApplied, waitForAnHour } from '../triggers/inbox-fixture.ts';
import { type Json, newScene, rowsOf, type Scene } from './merging-scene.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  expect(await differences(service.db, service.clientId)).toEqual([]);
  await service.close();
});

/** Plays a row; a row with a refusal returns the answers, which are the beginning of its cell. */
const plays: Readonly<Record<string, (scene: Scene) => Promise<readonly string[] | void>>> = {
  'an event, a read, a purchase by an id or external id of A': async (scene) => {
    const { a, b, code, mission, name, ok, progress, merge } = scene;
    await mission(10);
    await merge();
    for (const ref of [{ accountId: a }, { accountId: name('A'), idType: 'EXTERNAL' }]) {
      await ok('POST', '/gamification/triggers', { programmaticCode: code, ...ref });
      const path = `/marketplace/publications/redeem/${await newOffer(service)}`;
      expect(await ok('POST', path, ref)).toMatchObject({ account: { id: b } });
    }
    expect(await progress(a)).toBe(2);
    expect(await progress(b)).toBe(2);
    expect(await ok('GET', `/accounts/${a}`)).toMatchObject({ id: b });
    expect(await ok('GET', `/accounts/${encodeURIComponent(name('A'))}?idType=EXTERNAL`)).toMatchObject({ id: b });
  },
  'an event that was sent before the merge and is applied later': async (scene) => {
    const { a, b, code, merge, mission, own, progress } = scene;
    await mission(10);
    const event = { programmaticCode: code, accountId: a, idType: 'INTERNAL', metadata: null } as const;
    await waitForAnHour(service, { ...event, operationId: code });
    await merge();
    await own('update trigger_inbox set not_before = null where client_id = $1');
    await untilApplied(service, 30_000);
    expect(await progress(b)).toBe(1);
    await scene.send(a, { operationId: code });
    expect(await progress(b)).toBe(1);
  },
  'a row of an import with the external id of A': async ({ b, merge, name, ok }) => {
    await merge();
    const done = await load(service, `externalId,name\n${name('A')},Imported\n`);
    expect(done).toMatchObject({ status: 'DONE', rowsUpdated: 1, rowsCreated: 0 });
    expect(await ok('GET', `/accounts/${b}`)).toMatchObject({ externalId: name('B'), name: 'Imported' });
  },
  'a new account with the external id of A': async ({ answer, merge, name }) => {
    await merge();
    return [await answer('POST', '/accounts', { externalId: name('A') })];
  },
  'B is merged into C': async ({ a, account, b, merge, ok }) => {
    const c = await account('C');
    await merge();
    await merge({}, b, c);
    for (const id of [a, b, c]) expect(await ok('GET', `/accounts/${id}`)).toMatchObject({ id: c });
  },
  'lists, counts, exports, audiences': async ({ a, b, audience, merge, name, ok }) => {
    const audienceId = await audience([a]);
    await merge();
    const listed = async (letter: string) => {
      const filters = JSON.stringify({ filters: [{ field: 'externalId', value: name(letter) }] });
      const page = await ok('GET', `/accounts/paginated?page=1&limit=10&filters=${encodeURIComponent(filters)}`);
      return [page.totalRows, (page.rows as Json[]).map(({ id }) => id)];
    };
    expect([await listed('A'), await listed('B')]).toEqual([
      [0, []],
      [1, [b]],
    ]);
    const members = await ok('GET', `/admin/audiences/${audienceId}/members/paginated?page=1&limit=10`);
    expect(members).toMatchObject({ totalRows: 1, rows: [{ account: { id: b } }] });
    const text = await download(service, `/admin/exports/accounts.csv?audienceId=${audienceId}`);
    expect([text.includes(name('B')), text.includes(name('A'))]).toEqual([true, false]);
  },
  'B is deleted or erased, by any of the ids': async (scene) => {
    const { a, b, answer, merge, name, ok } = scene;
    await merge();
    await ok('DELETE', `/accounts/${a}`);
    for (const id of [a, b]) expect(await answer('GET', `/accounts/${id}`)).toContain('404');
    for (const letter of ['A', 'B']) await ok('POST', '/accounts', { externalId: name(letter) });
    const other = await newScene(service);
    await other.merge();
    await other.ok('POST', `/accounts/${other.b}/erase`, {});
    for (const letter of ['A', 'B']) await other.ok('POST', '/accounts', { externalId: other.name(letter) });
  },
  'a merge of A into B, by another id that reaches B': async ({ a, answer, merge, name }) => {
    await merge();
    const body = { intoAccountId: name('B'), idType: 'EXTERNAL', progress: 'SUM' };
    return [
      await answer('POST', `/accounts/${encodeURIComponent(name('A'))}/merge`, body),
      await answer('POST', `/accounts/${a}/merge`, { intoAccountId: a, progress: 'SUM' }),
    ];
  },
  'a merge in the other direction, B into A': async ({ a, answer, b, merge }) => {
    await merge();
    return [await answer('POST', `/accounts/${b}/merge`, { intoAccountId: a, progress: 'SUM' })];
  },
  'the e-mail, name and attributes of B': async ({ a, b, merge, name, ok, undo }) => {
    const attributes = [{ name: 'tier', type: 'STRING' }];
    const { version } = await ok('GET', '/admin/account-attributes');
    await ok('PUT', '/admin/account-attributes', { version, attributes });
    const of = (letter: string) => ({
      ...{ email: `${name(letter).replaceAll(' ', '-')}@example.com`, name: `Name of ${letter}` },
      attributes: { tier: letter },
    });
    await ok('PATCH', `/accounts/${a}`, of('A'));
    await ok('PATCH', `/accounts/${b}`, of('B'));
    const { mergeId } = await merge();
    expect(await ok('GET', `/accounts/${a}`)).toMatchObject({ id: b, ...of('B') });
    expect((await undo(mergeId)).status).toBe(200);
    expect(await ok('GET', `/accounts/${a}`)).toMatchObject({ id: a, ...of('A') });
  },
  'the time zone of B': async ({ a, b, merge, ok }) => {
    await ok('PATCH', `/accounts/${a}`, { timeZone: 'Asia/Tokyo' });
    await merge();
    expect((await ok('GET', `/accounts/${b}`)).timeZone ?? null).toBeNull();
    const other = await newScene(service);
    await other.ok('PATCH', `/accounts/${other.a}`, { timeZone: 'Asia/Tokyo' });
    await other.ok('PATCH', `/accounts/${other.b}`, { timeZone: 'Europe/Madrid' });
    await other.merge();
    expect(await other.ok('GET', `/accounts/${other.a}`)).toMatchObject({ id: other.b, timeZone: 'Europe/Madrid' });
  },
};

const rows = rowsOf('Call');

test('the table has a play for each row', () => {
  expect(rows.map(([call]) => call)).toEqual(Object.keys(plays));
});

test.each(rows)('%s: %s', async (call, effect) => {
  const answers = await plays[call]!(await newScene(service));
  expect(answers !== undefined, 'a row with a refusal is played with its answer').toBe(/^\d/.test(effect));
  for (const answer of answers ?? []) expect(effect.slice(0, answer.length)).toBe(answer);
});
