import { MINUTE } from '../../../src/kernel/time/timestamp.ts';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JournalEntry_Effect as Effect } from '../../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { partsOfAccount } from '../../../src/app/parts-of-account.ts';
import { finishErasures } from '../../../src/accounts/erasure/finish-erasures.ts';
import type { JournalDetails } from '../../../src/journal/journal-row.ts';
import { writeJournal } from '../../../src/journal/journal.queries.ts';
import { clientsWithOutliers, measureOutliers } from '../../../src/outliers/measure-outliers.ts';
import { usualOf } from '../../../src/outliers/outlier-rule.ts';
import { ok } from '../../support/administration.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { alertsOf, KEY } from '../alerts/fixture.ts';

const HOUR = 3_600_000;

let service: TestService;
/** The time of the job: minutes after the last full hour. */
const now = new Date(Math.floor(Date.now() / HOUR) * HOUR + 10 * 60_000);
/** The beginning of the compared hour as answers have it. */
const hourText = new Date(now.getTime() - 70 * 60_000).toISOString().replace('.000Z', 'Z');
const inHour = new Date(now.getTime() - 40 * 60_000);

beforeAll(async () => {
  service = await startService({ secretKeys: [KEY] });
});
afterAll(() => service.close());

/** A client with a threshold. */
async function comparing(outlierThreshold = 10): Promise<Tenant> {
  const tenant = await service.newTenant();
  if (outlierThreshold > 0) await setThreshold(tenant, outlierThreshold);
  return tenant;
}

async function setThreshold({ clientId, adminToken }: Tenant, outlierThreshold: number): Promise<void> {
  const path = `/admin/clients/${clientId}`;
  const { name, timeZone, version } = await ok(service.rest('GET', path, undefined, adminToken));
  const body = { name, timeZone, version, outlierThreshold };
  expect(await ok(service.rest('PUT', path, body, adminToken))).toMatchObject({ outlierThreshold });
}

async function account(tenant: Tenant, externalId: string): Promise<string> {
  const { id } = await ok(service.rest('POST', '/accounts', { externalId }, tenant.apiKey));
  return id;
}

type Sent = { readonly at?: Date; readonly effect?: Effect; readonly details?: JournalDetails };

/** Writes events of an account into the journal, in the middle of the compared hour. */
async function sent({ clientId }: Tenant, accountId: string, count: number, options: Sent = {}): Promise<void> {
  const { at = inHour, effect = Effect.NOTHING, details } = options;
  const row = { accountId, occurredAt: at, programmaticCode: 'LOGIN', operationId: undefined, effect, details };
  await service.db.unitOfWork(clientId, async (uow) => {
    await writeJournal(
      uow,
      Array.from({ length: count }, () => row),
      'byOperation',
    );
    await uow.query('update journal_batch set recorded_at = $2 where client_id = $1 and recorded_at > $3', [
      clientId,
      at,
      new Date(Date.now() - 5 * MINUTE),
    ]);
  });
}

/** So many accounts with so many events each. @returns their ids */
async function crowd(tenant: Tenant, accounts: number, events: number, name = 'guest'): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < accounts; index += 1) {
    const id = await account(tenant, `${name}-${index}`);
    await sent(tenant, id, events);
    ids.push(id);
  }
  return ids;
}

const measure = ({ clientId }: Tenant, at = now) => measureOutliers(service.db, clientId, at);

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
async function causesOf({ adminToken }: Tenant): Promise<any[]> {
  return (await ok(service.rest('GET', '/admin/statistics/attention', undefined, adminToken))).causes;
}

const named = async (tenant: Tenant) => (await causesOf(tenant)).map(({ observed }) => observed);

describe('the table of the page', () => {
  const page = readFileSync(new URL('../../../docs/campaign-operations.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+ with [^|]+?) +\| (\S+) +\| (\S+) +\| (\S+) +\| (\S+) +\|$/gm)].map(
    ([, accounts, median, deviation, limit, outliers]) => ({ accounts: accounts!, median, deviation, limit, outliers }),
  );

  test('has rows', () => expect(rows.length).toBeGreaterThan(4));

  test.each(rows)('$accounts', async ({ accounts, median, deviation, limit, outliers }) => {
    const tenant = await comparing();
    const values: number[] = [];
    for (const part of accounts.split(', ')) {
      const [, count, events] = /^(\d+) with (\d+)$/.exec(part)!.map(Number);
      await crowd(tenant, count!, events!, part);
      values.push(...Array.from({ length: count! }, () => events!));
    }
    const usual = usualOf(values, 10);
    const shown = (value: number | undefined) => (value === undefined ? 'none' : String(Number(value.toFixed(2))));
    expect([shown(usual?.median), shown(usual?.deviation), shown(usual?.limit)]).toEqual([median, deviation, limit]);
    await measure(tenant);
    expect((await named(tenant)).join(', ') || 'none').toBe(outliers);
  });
});

describe('an account far above the usual', () => {
  test('is named with its events and the usual ones, by its external id, and another client hears nothing', async () => {
    const [tenant, other] = [await comparing(), await comparing()];
    const [id] = await crowd(tenant, 1, 500, 'flood');
    await crowd(tenant, 20, 3);
    await crowd(other, 21, 3);
    expect(await measure(tenant)).toBe(1);
    expect(await measure(other)).toBe(0);
    expect(await causesOf(tenant)).toEqual([
      {
        ...{ kind: 'EVENTS_OUTLIER', key: `EVENTS_OUTLIER/${id}`, severity: 'WARNING', subjectId: id },
        ...{ subject: 'flood-0', observed: 500, usual: 3, since: hourText },
      },
    ]);
    expect(await causesOf(other)).toEqual([]);
  });

  test('is named for the points that rewards paid it, but not for those of an operator', async () => {
    const tenant = await comparing();
    const reward = async (amount: number) => {
      const body = { name: `${amount} points`, type: 'POINTS', amount };
      return (await ok(service.rest('POST', '/admin/rewards', body, tenant.adminToken))).id;
    };
    const [few, many] = [await reward(10), await reward(101)];
    const grant = async (externalId: string, rewardId: string) => {
      const path = `/admin/accounts/${await account(tenant, externalId)}/rewards/grant`;
      await ok(service.rest('POST', path, { rewardId, reason: 'A test.' }, tenant.adminToken));
    };
    // All of them are in one hour.
    const leftMs = HOUR - (Date.now() % HOUR);
    if (leftMs < 5_000) await sleep(leftMs);
    const nextHour = Math.floor(Date.now() / HOUR) * HOUR + HOUR;
    for (let index = 0; index < 20; index += 1) await grant(`guest-${index}`, few);
    await grant('rich', many);
    const adjusted = `/admin/accounts/${await account(tenant, 'adjusted')}/points/adjust`;
    await ok(service.rest('POST', adjusted, { amount: 900, reason: 'A test.' }, tenant.adminToken));
    await measure(tenant, new Date(nextHour + 10 * 60_000));
    const cause = { kind: 'POINTS_OUTLIER', subject: 'rich', observed: 101, usual: 10 };
    expect(await causesOf(tenant)).toEqual([expect.objectContaining(cause)]);
  });

  test('is not named by a client without a threshold, whose accounts are never compared', async () => {
    const tenant = await comparing(0);
    await crowd(tenant, 20, 1);
    await crowd(tenant, 1, 500, 'flood');
    const due = await service.db.systemUnitOfWork((uow) => clientsWithOutliers(uow, now));
    expect(due).not.toContain(tenant.clientId);
    expect(await measure(tenant)).toBe(0);
    expect(await causesOf(tenant)).toEqual([]);
  });

  test('is no longer named once the threshold is 0, nor a day after its hour', async () => {
    const tenant = await comparing();
    await crowd(tenant, 20, 1);
    await crowd(tenant, 1, 500, 'flood');
    await measure(tenant);
    expect(await named(tenant)).toEqual([500]);
    await setThreshold(tenant, 0);
    expect(await named(tenant)).toEqual([]);
    await setThreshold(tenant, 10);
    expect(await named(tenant)).toEqual([500]);
    await measure(tenant, new Date(now.getTime() + 24 * HOUR));
    expect(await named(tenant)).toEqual([]);
  });

  test('is compared once an hour, and again for the next', async () => {
    const tenant = await comparing();
    const ids = await crowd(tenant, 20, 1);
    const due = (at: Date) => service.db.systemUnitOfWork((uow) => clientsWithOutliers(uow, at));
    expect(await due(now)).toContain(tenant.clientId);
    await measure(tenant);
    expect(await due(now)).not.toContain(tenant.clientId);
    await sent(tenant, ids[0]!, 500);
    expect(await measure(tenant)).toBe(0);
    expect(await due(new Date(now.getTime() + HOUR))).toContain(tenant.clientId);
  });

  test('is not looked for in a client without events, or with one account', async () => {
    const [empty, one] = [await comparing(), await comparing()];
    await crowd(one, 1, 5_000);
    expect([await measure(empty), await measure(one)]).toEqual([0, 0]);
    expect([await named(empty), await named(one)]).toEqual([[], []]);
  });

  test('is not one whose events were backfilled, dead or reversals', async () => {
    const tenant = await comparing();
    await crowd(tenant, 20, 1);
    const id = await account(tenant, 'history');
    await sent(tenant, id, 300, { details: { backfilled: true } });
    await sent(tenant, id, 300, { effect: Effect.DEAD });
    await sent(tenant, id, 300, { effect: Effect.REVERSED });
    expect(await measure(tenant)).toBe(0);
    await sent(tenant, id, 101);
    await service.db.unitOfWork(tenant.clientId, (uow) =>
      uow.query('delete from outlier_measurement where client_id = $1', [tenant.clientId]),
    );
    await measure(tenant);
    expect(await named(tenant)).toEqual([101]);
  });

  test('counts events of the full hour alone, from its beginning to its end', async () => {
    const tenant = await comparing();
    await crowd(tenant, 20, 1);
    const id = await account(tenant, 'edge');
    const end = Math.floor(now.getTime() / HOUR) * HOUR;
    await sent(tenant, id, 200, { at: new Date(end) });
    await sent(tenant, id, 200, { at: new Date(end - HOUR - 1) });
    await sent(tenant, id, 51, { at: new Date(end - HOUR) });
    await sent(tenant, id, 50, { at: new Date(end - 1) });
    await measure(tenant);
    expect(await named(tenant)).toEqual([101]);
  });

  test('is named under the account into which it was merged, and not after its erasure', async () => {
    const tenant = await comparing();
    await crowd(tenant, 20, 1);
    await crowd(tenant, 2, 300, 'flood');
    await measure(tenant);
    expect(await named(tenant)).toEqual([300, 300]);
    const merge = { intoAccountId: 'flood-1', idType: 'EXTERNAL', progress: 'SUM' };
    await ok(service.rest('POST', '/accounts/flood-0/merge', merge, tenant.apiKey));
    expect((await causesOf(tenant)).map(({ subject }) => subject)).toEqual(['flood-1']);
    await ok(service.rest('POST', '/accounts/flood-1/erase?idType=EXTERNAL', undefined, tenant.adminToken));
    await finishErasures(service.db, tenant.clientId, { parts: partsOfAccount, clock: () => new Date() });
    expect(await causesOf(tenant)).toEqual([]);
  });
});

test('an alert tells of an account once, while its floods last', async () => {
  const receiver = await startReceiver((_, response) => response.writeHead(204).end());
  const tenant = await comparing();
  const ids = await crowd(tenant, 20, 1);
  await crowd(tenant, 1, 500, 'flood');
  const settings = { version: 0, endpoint: receiver.url, causes: ['EVENTS_OUTLIER'], language: 'ES' };
  await ok(service.rest('PUT', '/admin/alert-settings', settings, tenant.adminToken));
  const alerts = alertsOf(service);
  const look = async () => {
    await alerts.check(service.db, tenant.clientId, now);
    await alerts.idle();
  };
  await measure(tenant);
  await look();
  await look();
  const [flood] = (await causesOf(tenant)).map(({ subjectId }) => subjectId);
  const next = new Date(inHour.getTime() + HOUR);
  for (const id of ids) await sent(tenant, id, 1, { at: next });
  await sent(tenant, flood, 700, { at: next });
  await measure(tenant, new Date(now.getTime() + HOUR));
  expect(await named(tenant)).toEqual([700]);
  await look();
  const told = receiver.received.map(({ body }) => JSON.parse(body).causes);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject([
    { kind: 'EVENTS_OUTLIER', sentence: 'La cuenta flood-0 envió 500 eventos en una hora; lo habitual es 1.' },
  ]);
  await receiver.close();
});
