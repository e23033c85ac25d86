import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok } from '../../support/administration.ts';
import { type Game, newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
  // An empty audience would add another warning.
  await ok(service.rest('POST', '/accounts', {}));
});
afterAll(() => service.close());

const FIELD = 'conditions.prerequisiteMissionIds';

/** A DRAFT campaign with one mission per name. */
const draft = (...names: string[]) => newGame(service, { activate: false, missions: names.map((name) => ({ name })) });

/** Sets the prerequisites of missions of a DRAFT: by the position of a mission, the positions of its prerequisites. */
async function order({ campaignId }: Game, waitsFor: Readonly<Record<number, readonly string[]>>): Promise<void> {
  const { version, name, audienceIds, rewardIds, missions } = await ok(
    service.rest('GET', `/admin/campaigns/${campaignId}`),
  );
  const drafts = missions.map(
    ({ campaignId: _campaign, position: _position, ...mission }: object & Record<string, unknown>, index: number) => ({
      ...mission,
      conditions: { prerequisiteMissionIds: waitsFor[index] ?? [] },
    }),
  );
  const campaign = { name, audienceIds, rewardIds, missions: drafts };
  await ok(service.rest('PUT', `/admin/campaigns/${campaignId}`, { version, campaign }));
}

const activate = ({ campaignId }: Game) => service.rest('POST', `/admin/campaigns/${campaignId}/activate`);
const preview = ({ campaignId }: Game) => ok(service.rest('GET', `/admin/campaigns/${campaignId}/activation-preview`));

describe('missions whose prerequisites form a circle', () => {
  test('keep their campaign from being activated, with the circle, and the draft can be written', async () => {
    const game = await draft('First', 'Second', 'Third');
    const [first, second, third] = game.missionIds as [string, string, string];
    await order(game, { 0: [third], 1: [first], 2: [second] });
    const circle = `'First' waits for 'Third', 'Third' waits for 'Second', 'Second' waits for 'First'`;
    const { problems } = await preview(game);
    expect(problems).toMatchObject([{ field: `missions[0].${FIELD}`, message: expect.stringContaining(circle) }]);
    expect(await activate(game)).toMatchObject({
      status: 409,
      body: { code: 'CAMPAIGN_NOT_READY', message: expect.stringContaining(circle) },
    });
    await order(game, { 1: [first], 2: [second, first] });
    expect(await preview(game)).toMatchObject({ problems: [], warnings: [] });
    expect((await activate(game)).status).toBe(200);
  });

  test('are reported once each', async () => {
    const game = await draft('One', 'Other', 'Apart', 'Left', 'Right');
    const [one, other, apart, left, right] = game.missionIds as [string, string, string, string, string];
    await order(game, { 0: [other], 1: [apart, one], 3: [right, one], 4: [left] });
    expect((await preview(game)).problems).toMatchObject([
      { field: `missions[0].${FIELD}`, message: expect.stringContaining(`'One' waits for 'Other'`) },
      { field: `missions[3].${FIELD}`, message: expect.stringContaining(`'Left' waits for 'Right'`) },
    ]);
  });

  test('through another campaign are a warning while that is a draft, and refused to the second of the two', async () => {
    const [spring, autumn] = [await draft('Sow'), await draft('Reap')];
    await order(spring, { 0: autumn.missionIds });
    expect(await preview(spring)).toMatchObject({
      problems: [],
      warnings: [
        { field: `missions[0].${FIELD}`, message: expect.stringContaining(`'Sow' waits for 'Reap' of the campaign`) },
      ],
    });
    await order(autumn, { 0: spring.missionIds });
    const { problems, warnings } = await preview(spring);
    expect(problems).toEqual([]);
    expect(warnings).toMatchObject([{ message: expect.stringContaining(`of the campaign`) }]);
    expect(warnings[0].message).toContain(`waits for 'Sow'`);
    expect((await activate(spring)).status).toBe(200);
    expect(await activate(autumn)).toMatchObject({
      status: 409,
      body: { code: 'CAMPAIGN_NOT_READY', message: expect.stringContaining(`'Reap' waits for 'Sow' of the campaign`) },
    });
  });

  test('are refused to one of two campaigns that are activated at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await draft('One'), await draft('Other')];
      await order(one, { 0: other.missionIds });
      await order(other, { 0: one.missionIds });
      const answers = await Promise.all([activate(one), activate(other)]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    }
  });

  test('are refused of a standalone mission that is not offered yet', async () => {
    const game = await draft('Inside');
    const mission = {
      type: 'MISSION',
      name: 'Outside',
      programmaticCode: 'LOGIN',
      target: 1,
      startsAt: '2099-01-01T00:00:00Z',
    };
    const { id } = await ok(service.rest('POST', '/admin/missions', { audienceId: game.audienceId, mission }));
    await order(game, { 0: [id] });
    const change = (prerequisiteMissionIds: readonly string[], version: number) =>
      service.rest('PUT', `/admin/missions/${id}`, {
        version,
        mission: { ...mission, conditions: { prerequisiteMissionIds } },
      });
    expect(await change([id], 1)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`mission.${FIELD}: 'Outside' waits for 'Outside'`) },
    });
    // The campaign is a draft: its activation warns.
    await ok(change(game.missionIds, 1));
    expect((await activate(game)).status).toBe(409);
    await ok(change([], 2));
    await ok(activate(game));
    expect(await change(game.missionIds, 3)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(`'Inside' of the campaign`) },
    });
  });

  test('of a campaign that was active before they were refused go on', async () => {
    const game = await draft('One', 'Other');
    await ok(activate(game));
    const [one, other] = game.missionIds as [string, string];
    for (const [id, needed] of [
      [one, other],
      [other, one],
    ]) {
      await service.db.unitOfWork(service.clientId, (uow) =>
        uow.query('update mission set conditions = $3 where client_id = $1 and id = $2', [
          uow.clientId,
          id,
          JSON.stringify({ prerequisiteMissionIds: [needed] }),
        ]),
      );
    }
    await ok(service.rest('POST', `/admin/campaigns/${game.campaignId}/pause`));
    expect(await preview(game)).toMatchObject({
      problems: [],
      warnings: [{ message: expect.stringContaining(`'One' waits for 'Other', 'Other' waits for 'One'`) }],
    });
    expect((await activate(game)).status).toBe(200);
  });
});
