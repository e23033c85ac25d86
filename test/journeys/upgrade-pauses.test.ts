// Release 0.1.0 did not store the times of pauses: docs/decisions/0053.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { releasedDatabase } from '../support/released-database.ts';
import { releasedService } from '../support/released-service.ts';
import type { Rest, TestService } from '../support/service.ts';

let service: TestService;
let rest: Rest;
let campaignId: string;
const begun = Date.now();

beforeAll(async () => {
  const released = await releasedDatabase('v0.1.0', {
    async prepare(client) {
      const { rows } = await client.query<{ id: string }>(
        `update campaign set status = 'PAUSED' where status = 'ACTIVE' returning id`,
      );
      campaignId = rows[0]!.id;
    },
  });
  ({ service, rest } = await releasedService(released));
}, 60_000);
afterAll(() => service.close());

test('a campaign that 0.1.0 had paused is paused since the upgrade, until it is activated again', async () => {
  const { pauses } = (await rest('GET', `/admin/campaigns/${campaignId}`)).body;
  expect(pauses).toEqual([{ since: expect.any(String) }]);
  const from = Date.parse(pauses[0].since);
  expect([from >= begun - 2_000, from <= Date.now() + 2_000]).toEqual([true, true]);
  expect(await rest('POST', `/admin/campaigns/${campaignId}/activate`)).toMatchObject({
    status: 200,
    body: { status: 'ACTIVE', pauses: [{ since: pauses[0].since, until: expect.any(String) }] },
  });
});
