import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok, pageQuery } from '../../support/administration.ts';
import { newGame } from '../../support/game.ts';
import { sharedService, type Tenant, type TestService } from '../../support/service.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await sharedService();
  tenant = await service.newTenant();
  await ok(admin('POST', '/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE' }));
  await newAudience('Everybody', { kind: 'EVERYONE' });
});
afterAll(() => service.close());

const admin = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.adminToken);
const app = (method: string, path: string, body?: unknown) => service.rest(method, path, body, tenant.apiKey);

const newAudience = (name: string, fields: object = { kind: 'MANUAL' }): Promise<{ id: string; version: number }> =>
  ok(admin('POST', '/admin/audiences', { name, ...fields }));
const newRule = (name: string, expression: string) => newAudience(name, { kind: 'RULE', expression });
const change = (how: 'assign' | 'remove', { id }: { id: string }, accountIds: readonly string[]) =>
  ok(app(how === 'assign' ? 'POST' : 'DELETE', `/gamification/audiences/${id}/accounts/${how}`, { accountIds }));

let accounts = 0;
const newAccount = async (): Promise<string> =>
  (await ok(app('POST', '/accounts', { externalId: `named-${(accounts += 1)}` }))).id;

/** An active campaign of one mission with the expression. */
const newMission = (expression: string, mission: object = {}) =>
  newGame(service, {
    codes: {},
    adminToken: tenant.adminToken,
    missions: [{ programmaticCode: 'VISIT', target: 1_000_000, conditions: { expression }, ...mission }],
  });

type Progressed = { readonly missionId: string; readonly progress: number };

/** Whether a visit of the account counts for the mission. */
async function counts(accountId: string, { missionIds }: { missionIds: readonly string[] }): Promise<boolean> {
  const { progressedMissions } = await ok(
    app('POST', '/gamification/triggers', { programmaticCode: 'VISIT', accountId }),
  );
  return progressedMissions.some(({ missionId }: Progressed) => missionId === missionIds[0]);
}

describe('account.audiences', () => {
  test('has the names of the MANUAL audiences of the account, as they are now, and those of EVERYONE', async () => {
    const [vip, game] = [await newAudience('VIP'), await newMission('"VIP" in account.audiences')];
    const everybody = await newMission('"Everybody" in account.audiences && !("VIP" in account.audiences)');
    const [ada, bob] = [await newAccount(), await newAccount()];
    await change('assign', vip, [ada]);
    expect([await counts(ada, game), await counts(bob, game)]).toEqual([true, false]);
    expect([await counts(ada, everybody), await counts(bob, everybody)]).toEqual([false, true]);
    await change('remove', vip, [ada]);
    expect(await counts(ada, game)).toBe(false);
    const journal = await ok(admin('GET', `/admin/journal?accountId=${ada}`));
    expect(journal.rows[0].missions.map(({ missionId }: Progressed) => missionId)).toEqual(everybody.missionIds);
  });

  test('has a name once, although several audiences have it', async () => {
    const [one, other] = [await newAudience('Twin'), await newAudience('Twin')];
    const game = await newMission('"Twin" in account.audiences');
    const reward = { name: 'Sizes', type: 'POINTS', amountExpression: 'size(account.audiences)', amountMax: 100 };
    const { id: rewardId } = await ok(admin('POST', '/admin/rewards', reward));
    const ada = await newAccount();
    const size = async (): Promise<number> =>
      (await ok(admin('POST', `/admin/accounts/${ada}/rewards/grant`, { rewardId, reason: 'Asked' }))).amount;
    const before = await size();
    await change('assign', one, [ada]);
    await change('assign', other, [ada]);
    expect([await counts(ada, game), await size()]).toEqual([true, before + 1]);
    await change('remove', one, [ada]);
    expect([await counts(ada, game), await size()]).toEqual([true, before + 1]);
  });

  test('has no audience by expression, so no circle can exist', async () => {
    await newRule('By rule', 'account.createdAt <= now');
    const game = await newMission('"By rule" in account.audiences');
    expect(await counts(await newAccount(), game)).toBe(false);
  });

  test('is in the amounts of rewards, of missions, of campaigns and given by hand', async () => {
    const insiders = await newAudience('Insiders');
    const ada = await newAccount();
    await change('assign', insiders, [ada]);
    const reward = {
      name: 'R',
      type: 'POINTS',
      amountExpression: '"Insiders" in account.audiences ? 7 : 0',
      amountMax: 10,
    };
    const { id: rewardId } = await ok(admin('POST', '/admin/rewards', reward));
    await newMission('true', { target: 1, rewardIds: [rewardId] });
    const given = await ok(app('POST', '/gamification/triggers', { programmaticCode: 'VISIT', accountId: ada }));
    expect(given.rewards).toContainEqual(expect.objectContaining({ rewardId, amount: 7 }));
    const grant = (accountId: string) =>
      admin('POST', `/admin/accounts/${accountId}/rewards/grant`, { rewardId, reason: 'Asked' });
    expect(await ok(grant(ada))).toMatchObject({ amount: 7 });
    expect(await grant(await newAccount())).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/account\.audiences is \[.*"Everybody"\]/) },
    });
  });

  test('is sought with in: exists and all, whose work it does not bound, are refused', async () => {
    const body = { name: 'X', kind: 'RULE', expression: 'account.audiences.exists(a, a == "VIP")' };
    expect(await admin('POST', '/admin/audiences', body)).toMatchObject({
      status: 400,
      body: {
        message:
          'expression, line 1, column 1: The list account.audiences may have any number of entries: use in instead of exists.',
      },
    });
  });

  test('means the same for one account and in the list of an audience by expression', async () => {
    const words = ['Red', 'Blue', 'Green', 'Everybody', 'By rule', "It's", 'Nobody'];
    const audiences = [];
    for (const name of words.slice(0, 3)) audiences.push(await newAudience(name));
    audiences.push(await newAudience('Blue'), await newAudience("It's"));
    const ids = await Promise.all(Array.from({ length: 24 }, newAccount));
    const seed = Number(process.env['LAUREL_PROPERTY_SEED'] ?? 1);
    const members = fc.sample(fc.subarray(ids), { numRuns: audiences.length, seed });
    for (const [index, audience] of audiences.entries())
      if (members[index]!.length > 0) await change('assign', audience, members[index]!);
    const { expression } = fc.letrec<{ expression: string; sought: string; size: string }>((tie) => ({
      sought: fc.constantFrom(...words).map((word) => `${JSON.stringify(word)} in account.audiences`),
      size: fc
        .tuple(fc.constantFrom('<', '==', '>='), fc.integer({ min: 0, max: 4 }))
        .map(([operator, count]) => `size(account.audiences) ${operator} ${count}`),
      expression: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        tie('sought'),
        tie('size'),
        tie('expression').map((a) => `!(${a})`),
        fc
          .tuple(tie('expression'), fc.constantFrom('&&', '||'), tie('expression'))
          .map(([a, op, b]) => `(${a} ${op} ${b})`),
        fc.tuple(tie('sought'), tie('size'), tie('sought')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      ),
    }));
    let found = 0;
    for (const [index, text] of fc.sample(expression, { numRuns: 40, seed }).entries()) {
      const { id } = await newRule(`Random ${index}`, text);
      const { rows } = await ok(admin('GET', `/admin/audiences/${id}/members/paginated?${pageQuery({}, 1_000)}`));
      const listed = new Set(rows.map(({ account }: { account: { id: string } }) => account.id));
      for (const accountId of ids) {
        const { member } = await ok(admin('GET', `/admin/audiences/${id}/accounts/${accountId}/explanation`));
        expect({ text, accountId, listed: listed.has(accountId) }).toEqual({ text, accountId, listed: member });
        if (member) found += 1;
      }
    }
    expect(found).toBeGreaterThan(100);
    expect(found).toBeLessThan(40 * ids.length - 100);
  });
});

describe('an audience whose name an expression seeks', () => {
  const uses: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
    'of a mission': (name) => newMission(`true && "${name}" in account.audiences`),
    'of an audience by expression': (name) => newRule(`Of ${name}`, `!("${name}" in account.audiences)`),
    'of a reward': (name) => {
      const amountExpression = `"${name}" in account.audiences ? 2 : 1`;
      return ok(
        admin('POST', '/admin/rewards', { name: `R ${name}`, type: 'POINTS', amountExpression, amountMax: 10 }),
      );
    },
  };

  test.each(Object.entries(uses))('%s can neither get another name nor be removed', async (place, use) => {
    const name = `Named ${place}`;
    const { id, version } = await newAudience(name);
    const put = (renamed: string, read = version) =>
      admin('PUT', `/admin/audiences/${id}`, { version: read, name: renamed, description: 'Changed' });
    await use(name);
    const refused = {
      status: 409,
      body: { code: 'AUDIENCE_IN_USE', message: expect.stringContaining(`"${name}" in account.audiences of`) },
    };
    expect(await put('Other')).toMatchObject(refused);
    expect(await admin('DELETE', `/admin/audiences/${id}`)).toMatchObject(refused);
    expect(await ok(admin('GET', `/admin/audiences/${id}`))).toMatchObject({ name });
    expect(await put(name)).toMatchObject({ status: 200 });
    // Another audience of the name is enough for the expression.
    await newAudience(name);
    expect(await put('Other', version + 1)).toMatchObject({ status: 200 });
  });
});

describe('mission.progress', () => {
  test('is the progress of the mission before the event, in its condition', async () => {
    const game = await newMission('mission.progress < 2');
    const ada = await newAccount();
    expect([await counts(ada, game), await counts(ada, game), await counts(ada, game)]).toEqual([true, true, false]);
    const simulated = await ok(
      app('POST', '/gamification/triggers/simulate', { programmaticCode: 'VISIT', accountId: ada }),
    );
    expect(simulated.find(({ missionId }: Progressed) => missionId === game.missionIds[0])).toMatchObject({
      uncountedReason: 'CONDITION_NOT_MET',
      explanation: expect.stringContaining('mission.progress is 2, needed less than 2'),
    });
  });

  test('is the progress of the period in a ROUTINE, and the run in a STREAK', async () => {
    const routine = await newMission('mission.progress < 1', {
      type: 'ROUTINE',
      period: 'DAY',
      target: 2,
      occurrences: 3,
    });
    const streak = await newMission('mission.progress == 0', {
      type: 'STREAK',
      period: 'DAY',
      perPeriodTarget: 5,
      target: 3,
    });
    const ada = await newAccount();
    const visits = async (game: { missionIds: readonly string[] }) => [
      await counts(ada, game),
      await counts(ada, game),
    ];
    expect(await visits(routine)).toEqual([true, false]);
    // The day is not kept yet, so the run is still empty.
    expect(await visits(streak)).toEqual([true, true]);
  });

  test('is in the amounts of the rewards of missions, and in no other amount and no audience', async () => {
    const reward = { name: 'Late', type: 'POINTS', amountExpression: '10 + mission.progress', amountMax: 100 };
    const { id: rewardId } = await ok(admin('POST', '/admin/rewards', reward));
    await newMission('true', { target: 3, rewardIds: [rewardId] });
    const ada = await newAccount();
    const visit = () => ok(app('POST', '/gamification/triggers', { programmaticCode: 'VISIT', accountId: ada }));
    await visit();
    await visit();
    expect((await visit()).rewards).toContainEqual(expect.objectContaining({ rewardId, amount: 12 }));
    const grant = { rewardId, reason: 'Asked' };
    expect(await admin('POST', `/admin/accounts/${ada}/rewards/grant`, grant)).toMatchObject({
      status: 409,
      body: { code: 'REWARD_NEEDS_EVENT' },
    });
    const rule = { name: 'X', kind: 'RULE', expression: 'mission.progress > 2' };
    expect(await admin('POST', '/admin/audiences', rule)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('There is no mission.progress') },
    });
  });

  test('is seen by each event of one batch after those before it', async () => {
    const game = await newMission('mission.progress < 2');
    const ada = await newAccount();
    const triggers = Array.from({ length: 4 }, () => ({ programmaticCode: 'VISIT', accountId: ada }));
    const { results } = await ok(app('POST', '/gamification/triggers/batch', { triggers }));
    const counted = results.map(({ result }: { result: { progressedMissions: Progressed[] } }) =>
      result.progressedMissions.some(({ missionId }) => missionId === game.missionIds[0]),
    );
    expect(counted).toEqual([true, true, false, false]);
    const { rows } = await ok(admin('GET', `/admin/journal?accountId=${ada}`));
    expect(rows).toHaveLength(4);
  });
});
