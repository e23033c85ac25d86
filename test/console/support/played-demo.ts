import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, vi } from 'vitest';
import { startApp } from '../../../src/app/app.ts';
import { type Demo, provisionDemo } from '../../../src/commands/demo.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import type { Database } from '../../../src/persistence/database.ts';
import { startReceiver } from '../../operations/webhooks/receiver.ts';
import { ok } from '../../support/administration.ts';
import { testDatabase } from '../../support/database.ts';
import { type Rest, restAs } from '../../support/service.ts';
import { movableClock } from './clock.ts';

/** The demo of `npm start`, a day later. */
export type PlayedDemo = Demo & {
  /** The campaign with a mission of each usual type. */
  readonly campaignId: string;
  close(): Promise<void>;
};

/** The number of events in each hour of the day (UTC), relative to the quietest hour. */
const BUSY = [3, 2, 1, 1, 1, 2, 4, 7, 9, 9, 10, 13, 15, 14, 11, 10, 12, 15, 18, 19, 17, 13, 9, 5];

const GUESTS = 48;

/** The shop's own server refuses one of this number of webhooks. */
const REFUSED_EACH = 17;

/** Starts the service as `npm start` does on a new database, and plays a day in its demo. */
export async function playedDemo(): Promise<PlayedDemo> {
  const clock = movableClock();
  const { db, url, drop } = await testDatabase();
  const dataFolder = await mkdtemp(join(tmpdir(), 'laurel-pictures-'));
  let received = 0;
  const receiver = await startReceiver((_, response) =>
    response.writeHead((received += 1) % REFUSED_EACH === 0 ? 422 : 204).end(),
  );
  const app = await startApp({
    db,
    secrets: createSecretBox([randomBytes(32)]),
    logger: pino({ level: 'silent' }),
    clock: clock.now,
    server: { host: '127.0.0.1', port: 0 },
    events: { triggerConcurrency: 2 },
    webhooks: { allowPrivate: true },
  });
  const hour = new Date().getUTCHours();
  clock.putTo(0, hour - 24);
  const demo = await provisionDemo({ db, url }, app.operations, { dataFolder }, app.port);
  if (demo === undefined) throw new Error('The demo was not made: the database is not empty.');
  const rest = restAs(demo.baseUrl, { clientId: demo.clientId, apiKey: demo.apiKey, adminToken: demo.accessToken });
  const campaignId = await addSeason(rest, receiver.url);
  for (let at = hour - 23; at <= hour; at += 1) {
    if (at < hour) clock.putTo(0, at);
    else clock.putRight();
    await play(rest, (at + 24) % 24);
    await sent(db);
  }
  return {
    ...demo,
    campaignId,
    async close() {
      await app.close();
      await receiver.close();
      await drop();
      await rm(dataFolder, { recursive: true });
    },
  };
}

/** An operator's additions to the demo: a season with missions of several types, more coupons, and recipients of alerts. */
async function addSeason(rest: Rest, endpoint: string): Promise<string> {
  const post = (path: string, body: unknown = {}) => ok(rest('POST', path, body));
  const found = async (path: string) => (await ok(rest('GET', `/admin/${path}/paginated?page=1&limit=10`))).rows;
  const [everyone] = await found('audiences');
  const points = (await found('rewards')).find(({ type }: { readonly type: string }) => type === 'POINTS');
  const mug = await post('/admin/products', {
    name: 'Laurel mug',
    stockMode: 'COUNTED',
    stock: 14,
    lowStockThreshold: 10,
  });
  const prize = await post('/admin/rewards', { name: 'Laurel mug', type: 'PRODUCTS', amount: 1, productId: mug.id });
  const { id } = await post('/admin/campaigns', {
    name: 'Autumn of movement',
    description: 'A season of small habits, for everybody.',
    audienceIds: [everyone.id],
    rewardIds: [points.id],
    missions: [
      { type: 'MISSION', name: 'Bring two friends', programmaticCode: 'REFERRAL', target: 2, rewardIds: [prize.id] },
      { type: 'MISSION', name: 'Spend 100', programmaticCode: 'PURCHASE', target: 100, rewardIds: [points.id] },
      {
        type: 'ROUTINE',
        name: 'A visit each day',
        programmaticCode: 'LOGIN',
        target: 1,
        period: 'DAY',
        occurrences: 2,
      },
      { type: 'STREAK', name: 'Five days in a row', programmaticCode: 'LOGIN', target: 5, period: 'DAY' },
    ],
  });
  await post(`/admin/campaigns/${id}/activate`);
  const coupon = (await found('products')).find(({ name }: { readonly name: string }) => name === 'Coffee coupon');
  const codes = Array.from({ length: 300 }, (_, index) => `ESPRESSO-${1_000 + index}`);
  await post(`/admin/products/${coupon.id}/codes`, { codes });
  const secret = { authenticationMethodType: 'HEADER', authenticationMethodKey: 'X-Shop-Key' };
  const settings = { endpoint: `${endpoint}/hooks/rewards`, ...secret, authenticationValue: 'shop-secret-1234' };
  await ok(rest('PUT', '/webhooks/rewards', settings));
  const missions = { endpoint: `${endpoint}/hooks/missions`, signed: true };
  await ok(rest('PUT', '/webhooks/mission-completed', missions));
  return id;
}

/** One hour of the day at the shop: every run has the same actions, whatever its first hour. */
async function play(rest: Rest, hour: number): Promise<void> {
  const count = BUSY[hour]! * 6;
  const triggers = Array.from({ length: count }, (_, index) => {
    // A step without a common divisor with the number of guests reaches all of them, but not in order.
    const guest = (hour * 7 + index * 5 + ((index * index) % 11)) % GUESTS;
    const event = { accountId: `guest-${guest + 1}`, idType: 'EXTERNAL' };
    if (index % 3 === 1)
      return { ...event, programmaticCode: 'PURCHASE', metadata: { amount: 4 + ((guest * 3) % 17) } };
    return { ...event, programmaticCode: index % 13 === 2 && guest < 12 ? 'REFERRAL' : 'LOGIN', metadata: {} };
  });
  await ok(rest('POST', '/gamification/triggers/batch', { triggers }));
}

/** A webhook belongs to the hour of its clock, so the test waits for it before the clock advances. */
async function sent(db: Database): Promise<void> {
  const waiting = () => db.systemUnitOfWork((uow) => uow.query('select 1 from outbox_message limit 1'));
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 20_000 });
}
