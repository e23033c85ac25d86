import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toJson } from '@bufbuild/protobuf';
import { timestampFromDate, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { Webhook } from 'standardwebhooks';
import type { Alerts } from '../../../src/alerts/alerts.ts';
import { ok } from '../../support/administration.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { type Answer, type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { alertsOf, KEY } from './fixture.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

const MINUTE = 60_000;

let service: TestService;
let mail: MailServer;
let receiver: Receiver;
let answer: Answer;
let tenant: Tenant;
/** The present time of all processes of the test. */
let now: Date;
let log: string[];

beforeAll(async () => {
  mail = await startMailServer();
  service = await startService({ secretKeys: [KEY], smtp: mail.smtp });
});
beforeEach(async () => {
  answer = (_, response) => response.writeHead(204).end();
  receiver = await startReceiver((...args) => answer(...args));
  tenant = await service.newTenant();
  now = new Date();
  log = [];
});
afterEach(() => receiver.close());
afterAll(async () => {
  await service.close();
  await mail.close();
});

const admin = (path: string, body: object, { adminToken } = tenant, method = 'POST') =>
  ok(service.rest(method, path, body, adminToken));
const settings = (body: object, of = tenant) => admin('/admin/alert-settings', { version: 0, ...body }, of, 'PUT');
const stored = (of = tenant) => ok(service.rest('GET', '/admin/alert-settings', undefined, of.adminToken));

/** Another process with the clock of the test. */
const process = (options = {}) => alertsOf(service, { clock: () => now, smtp: mail.smtp, log, ...options });

/** A product that runs low: one cause, which `end` ends and `begin` starts again. */
async function shortProduct(name = 'Mug', of = tenant) {
  const product = { name, stockMode: 'COUNTED', stock: 3, pointsCost: 1 };
  const { id, version } = await admin('/admin/products', { ...product, lowStockThreshold: 5 }, of);
  let read = version;
  const set = async (lowStockThreshold: number) => {
    const { pointsCost } = product;
    const changed = await admin(
      `/admin/products/${id}`,
      { name, pointsCost, version: read, lowStockThreshold },
      of,
      'PUT',
    );
    read = changed.version;
  };
  return { id, end: () => set(1), begin: () => set(5) };
}

async function look(alerts: Alerts, minutes = 0, of = tenant): Promise<void> {
  now = new Date(now.getTime() + minutes * MINUTE);
  await alerts.check(service.db, of.clientId, now);
  await alerts.idle();
}

const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));
const mails = (of = tenant) => mail.taken.filter(({ source }) => source.includes(of.clientId));

describe('a cause', () => {
  test('is reported once, by webhook and by e-mail, however often it is looked for', async () => {
    const { signingSecret } = await settings({ endpoint: receiver.url, recipients: ['ops@example.com'] });
    const { id } = await shortProduct();
    const alerts = process({ publicUrl: new URL('https://laurel.example.com') });
    for (let minute = 0; minute < 5; minute += 1) await look(alerts, 1);
    expect(bodies()).toEqual([
      {
        type: 'ALERTS',
        id: expect.stringMatching(/^alert_[0-9a-f]{32}$/),
        clientId: tenant.clientId,
        clientName: expect.any(String),
        sentAt: expect.any(String),
        causes: [
          {
            key: `PRODUCT_LOW/${id}`,
            kind: 'PRODUCT_LOW',
            severity: 'WARNING',
            subjectId: id,
            subject: 'Mug',
            sentence: 'Mug runs low.',
            link: `https://laurel.example.com/console/products/${id}?client=${tenant.clientId}`,
          },
        ],
      },
    ]);
    const { body, headers } = receiver.received[0]!;
    expect(new Webhook(signingSecret).verify(body, headers as Record<string, string>)).toEqual(bodies()[0]);
    expect(mails()).toHaveLength(1);
    expect(mails()[0]).toMatchObject({ to: ['ops@example.com'] });
    expect(mails()[0]?.source).toMatch(/Mug runs low\./);
    expect(mails()[0]?.source).toMatch(/text\/html/);
  });

  test('is reported once by several processes that look at the same time and while the message is under way', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    answer = (_, response) => void held.then(() => response.writeHead(204).end());
    await settings({ endpoint: receiver.url });
    await shortProduct();
    const processes = [process(), process(), process()];
    await Promise.all(processes.map((each) => each.check(service.db, tenant.clientId, now)));
    await receiver.got(1);
    for (const each of processes) expect(await each.check(service.db, tenant.clientId, now)).toBe(0);
    release();
    await Promise.all(processes.map((each) => each.idle()));
    for (const each of processes) await look(each, 1);
    expect(receiver.received).toHaveLength(1);
  });

  test('that goes for a moment and comes back is not reported again; one that was gone for a quarter of an hour is', async () => {
    await settings({ endpoint: receiver.url });
    const product = await shortProduct();
    const alerts = process();
    await look(alerts);
    await product.end();
    await look(alerts, 1);
    await look(alerts, 10);
    await product.begin();
    await look(alerts, 1);
    expect(bodies()).toHaveLength(1);
    await product.end();
    await look(alerts, 1);
    await look(alerts, 15);
    await product.begin();
    await look(alerts, 1);
    expect(bodies()).toHaveLength(2);
    expect(bodies()[1].id).not.toBe(bodies()[0].id);
  });

  test('that was reported by a process that died then is reported again, under the same id', async () => {
    await settings({ endpoint: receiver.url });
    await shortProduct();
    await look(process());
    await service.db.unitOfWork(tenant.clientId, async (uow) => {
      await uow.query('update alert set webhook_told_at = null where client_id = $1', [tenant.clientId]);
      await uow.query('update alert_channel set lease_id = $2, lease_until = $3 where client_id = $1', [
        tenant.clientId,
        tenant.clientId,
        new Date(now.getTime() + 2 * MINUTE),
      ]);
    });
    await look(process(), 1);
    expect(bodies()).toHaveLength(1);
    await look(process(), 1);
    expect(bodies()).toHaveLength(2);
    expect(bodies()[1].id).toBe(bodies()[0].id);
  });

  test('that lasts is reported again after the hours of the reminder', async () => {
    await settings({ endpoint: receiver.url, reminderHours: 2 });
    await shortProduct();
    const alerts = process();
    await look(alerts);
    await look(alerts, 119);
    expect(bodies()).toHaveLength(1);
    await look(alerts, 1);
    expect(bodies()).toHaveLength(2);
  });

  test('of a kind that was not chosen is not reported', async () => {
    await settings({ endpoint: receiver.url, causes: ['WEBHOOK_FAILING'] });
    await shortProduct();
    await look(process());
    expect(bodies()).toEqual([]);
  });
});

test('several causes at once are one message, in Spanish where Spanish is chosen', async () => {
  await settings({ endpoint: receiver.url, recipients: ['a@example.com', 'b@example.com'], language: 'ES' });
  await shortProduct('Taza <b>');
  await shortProduct('Vaso');
  await look(process());
  expect(bodies().map(({ causes }) => causes.map(({ sentence }: { sentence: string }) => sentence).toSorted())).toEqual(
    [['Taza <b> tiene pocas existencias.', 'Vaso tiene pocas existencias.']],
  );
  const spoken = mail.taken.filter(({ to }) => to.includes('b@example.com'));
  expect(spoken).toHaveLength(1);
  expect(spoken[0]?.source).toContain('Taza &lt;b&gt; tiene pocas existencias.');
});

describe('in quiet hours', () => {
  test('nothing is sent; when they end, what is still true is reported in one message', async () => {
    now = new Date('2026-11-23T23:30:00Z');
    const quietHours = { timeFrom: '22:00', timeTo: '07:00', timeZone: 'UTC' };
    await settings({ endpoint: receiver.url, quietHours });
    const [passing] = [await shortProduct('Passing'), await shortProduct('Mug'), await shortProduct('Cup')];
    const alerts = process();
    await look(alerts);
    await passing.end();
    await look(alerts, 7 * 60 + 29);
    expect(bodies()).toEqual([]);
    await look(alerts, 1);
    expect(bodies().map(({ causes }) => causes.length)).toEqual([2]);
    await look(alerts, 1);
    expect(bodies()).toHaveLength(1);
  });
});

/** A moment as answers have it: without a fraction for a whole second. */
const jsonOf = (moment: Date) => toJson(TimestampSchema, timestampFromDate(moment));

describe('a channel that fails', () => {
  test('is tried again later and later, is shown in settings and log, and holds up neither the other one nor others', async () => {
    answer = (_, response) => response.writeHead(500).end('no');
    await settings({ endpoint: receiver.url, recipients: ['night@example.com'] });
    await shortProduct();
    const alerts = process();
    await look(alerts);
    expect(mail.taken.filter(({ to }) => to.includes('night@example.com'))).toHaveLength(1);
    const { channels } = await stored();
    expect(channels).toEqual([
      {
        kind: 'WEBHOOK',
        failures: 1,
        error: 'REFUSED: HTTP 500',
        failingSince: jsonOf(now),
        nextAttemptAt: jsonOf(new Date(now.getTime() + MINUTE)),
      },
      { kind: 'EMAIL', failures: 0, lastSentAt: jsonOf(now) },
    ]);
    expect(log.join('')).toContain('"channel":"WEBHOOK"');
    expect(log.join('')).not.toContain('night@example.com');
    await look(alerts, 0.5);
    expect(bodies()).toHaveLength(1);
    await look(alerts, 0.5);
    expect(bodies()).toHaveLength(2);
    await look(alerts, 1);
    expect(bodies()).toHaveLength(2);
    answer = (_, response) => response.writeHead(204).end();
    await look(alerts, 1);
    expect(bodies()).toHaveLength(3);
    expect((await stored()).channels[0]).toEqual({ kind: 'WEBHOOK', failures: 0, lastSentAt: jsonOf(now) });
    await look(alerts, 60);
    expect(bodies()).toHaveLength(3);
  });

  test('of one client holds up no other client', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    answer = ({ url }, response) =>
      url === '/slow' ? void held.then(() => response.writeHead(204).end()) : response.writeHead(204).end();
    const other = await service.newTenant();
    await settings({ endpoint: `${receiver.url}/slow` });
    await settings({ endpoint: `${receiver.url}/quick` }, other);
    await shortProduct();
    await shortProduct('Cup', other);
    const alerts = process();
    await alerts.check(service.db, tenant.clientId, now);
    await receiver.got(1);
    await alerts.check(service.db, other.clientId, now);
    const [, { url, body }] = (await receiver.got(2)) as [unknown, { url: string; body: string }];
    expect(url).toBe('/quick');
    expect(body).not.toContain('Mug');
    expect(JSON.parse(body).clientId).toBe(other.clientId);
    release();
    await alerts.idle();
  });

  test('whose address is changed is tried at once', async () => {
    answer = (_, response) => response.writeHead(500).end();
    await settings({ endpoint: receiver.url });
    await shortProduct();
    const alerts = process();
    await look(alerts);
    answer = (_, response) => response.writeHead(204).end();
    await settings({ version: 1, endpoint: `${receiver.url}/new` });
    await look(alerts);
    expect(receiver.received.map(({ url }) => url)).toEqual(['/', '/new']);
  });
});

test('a client without settings is not looked at, and one without its last recipient neither', async () => {
  const due = async () => {
    const { clientsWithAlerts } = await import('../../../src/alerts/alerts.queries.ts');
    return service.db.systemUnitOfWork(clientsWithAlerts);
  };
  expect(await due()).not.toContain(tenant.clientId);
  await settings({ recipients: ['ops@example.com'] });
  expect(await due()).toContain(tenant.clientId);
  await settings({ version: 1 });
  expect(await due()).not.toContain(tenant.clientId);
});
