import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMailer } from '../../../src/alerts/delivery/mailer.ts';
import { smtpSettings } from '../../../src/alerts/delivery/smtp-settings.ts';
import { readConfig } from '../../../src/app/config.ts';
import { ok, recorded } from '../../support/administration.ts';
import { freePort } from '../../support/free-port.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { KEY } from './fixture.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

let service: TestService;
let mail: MailServer;
let tenant: Tenant;

beforeAll(async () => {
  mail = await startMailServer((to) => (to.startsWith('gone') ? '5.1.1 no such mailbox' : undefined));
  service = await startService({ secretKeys: [KEY], smtp: mail.smtp });
});
beforeEach(async () => {
  tenant = await service.newTenant();
});
afterAll(async () => {
  await service.close();
  await mail.close();
});

const put = (body: object, of = tenant) =>
  service.rest('PUT', '/admin/alert-settings', { version: 0, ...body }, of.adminToken);
const get = (of = tenant) => ok(service.rest('GET', '/admin/alert-settings', undefined, of.adminToken));
const trial = (channel: string) => service.rest('POST', '/admin/alert-settings/test', { channel }, tenant.adminToken);

const WHOLE = {
  endpoint: 'https://example.com/alerts',
  recipients: ['ops@example.com', 'night@example.com'],
  causes: ['PRODUCT_LOW', 'WEBHOOK_FAILING'],
  language: 'ES',
  quietHours: { timeFrom: '22:00', timeTo: '06:30', timeZone: 'Europe/Madrid' },
  reminderHours: 24,
};

describe('settings', () => {
  test('without any, nobody is notified; what is stored is what is read, the secret once, and other clients have their own', async () => {
    expect(await get()).toMatchObject({ version: 0, recipients: [], causes: [], channels: [], emailAvailable: true });
    const { signingSecret, ...first } = await ok(put(WHOLE));
    expect(signingSecret).toMatch(/^whsec_/);
    const channels = ['WEBHOOK', 'EMAIL'].map((kind) => ({ kind, failures: 0 }));
    expect(first).toEqual({ ...WHOLE, version: 1, channels, emailAvailable: true, updatedAt: expect.any(String) });
    expect(await get()).toEqual(first);
    const second = await ok(put({ ...WHOLE, version: 1 }));
    expect(second.signingSecret).toBeUndefined();
    const rotated = await ok(put({ ...WHOLE, version: 2, rotateSigningSecret: true }));
    expect(rotated.signingSecret).not.toBe(signingSecret);
    expect(await get(await service.newTenant())).toMatchObject({ version: 0 });
  });

  test('that somebody else has changed meanwhile are not overwritten, nor are the first ones', async () => {
    const answers = await Promise.all([put({ language: 'EN' }), put({ language: 'ES' })]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await put({})).toMatchObject({ status: 409, body: { code: 'VERSION_CONFLICT' } });
    expect((await get()).version).toBe(1);
  });

  test('are recorded without the secret and without the path of the address', async () => {
    await ok(put(WHOLE));
    const entries = await recorded({ db: service.db, clientId: tenant.clientId }, tenant.clientId);
    expect(entries).toMatchObject([{ operation: 'AlertAdminService.PutAlertSettings', before: null }]);
    expect(JSON.stringify(entries)).not.toMatch(/whsec_|\/alerts"/);
  });

  test.each([
    [{ endpoint: 'example.com' }, /endpoint must be an absolute URL/],
    [{ endpoint: 'https://user:pass@example.com' }, /user information/],
    [{ recipients: ['nobody'] }, /recipients/],
    [{ recipients: ['a@example.com', 'a@example.com'] }, /recipients/],
    [{ recipients: ['a@example.com, b@example.com'] }, /recipients/],
    [{ recipients: ['a@example.com\r\nBcc: b@example.com'] }, /recipients/],
    [{ recipients: Array.from({ length: 11 }, (_, index) => `${index}@example.com`) }, /recipients/],
    [{ causes: ['KIND_UNSPECIFIED'] }, /causes/],
    [
      { quietHours: { timeFrom: '22:00', timeTo: '22:00', timeZone: 'UTC' } },
      /quietHours\.timeTo must be another minute/,
    ],
    [{ quietHours: { timeFrom: '24:00', timeTo: '22:00', timeZone: 'UTC' } }, /timeFrom/],
    [{ quietHours: { timeFrom: '22:00', timeTo: '23:00', timeZone: 'Mars/Base' } }, /timeZone 'Mars\/Base' is unknown/],
    [{ reminderHours: 0 }, /reminderHours/],
    [{ rotateSigningSecret: true }, /rotateSigningSecret/],
  ])('%j are refused, with words for them', async (body, words) => {
    expect(await put(body)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST', message: expect.stringMatching(words) },
    });
  });

  test('with recipients are refused by a service without a mail server', async () => {
    const other = await startService();
    try {
      const answer = await other.rest('PUT', '/admin/alert-settings', { version: 0, recipients: ['ops@example.com'] });
      expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('LAUREL_SMTP_URL') } });
    } finally {
      await other.close();
    }
  });
});

describe('a test message', () => {
  test('arrives by webhook and by e-mail, and stores nothing', async () => {
    const receiver = await startReceiver();
    await ok(put({ endpoint: receiver.url, recipients: ['ops@example.com'], language: 'ES' }));
    const before = mail.taken.length;
    expect(await ok(trial('WEBHOOK'))).toEqual({ success: true });
    expect(await ok(trial('EMAIL'))).toEqual({ success: true });
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ type: 'ALERTS', test: true, causes: [] });
    expect(mail.taken.slice(before)).toMatchObject([{ to: ['ops@example.com'] }]);
    expect(mail.taken.at(-1)?.source).toContain('prueba de las alertas');
    expect((await get()).channels).toEqual(['WEBHOOK', 'EMAIL'].map((kind) => ({ kind, failures: 0 })));
    await receiver.close();
  });

  test('that does not arrive says why', async () => {
    await ok(put({ endpoint: `http://127.0.0.1:${await freePort()}`, recipients: ['gone@example.com'] }));
    expect(await ok(trial('WEBHOOK'))).toEqual({ success: false, error: 'ECONNREFUSED' });
    expect(await ok(trial('EMAIL'))).toEqual({
      success: false,
      error: expect.stringMatching(/^EENVELOPE: 550 5\.1\.1 no such mailbox$/),
    });
    await ok(put({ version: 1, recipients: ['gone@example.com', 'ops@example.com'] }));
    expect(await ok(trial('EMAIL'))).toEqual({ success: false, error: 'RECIPIENTS_REFUSED: 1/2' });
  });

  test('by no channel is refused, and the message names the channels', async () => {
    const answer = await service.rest('POST', '/admin/alert-settings/test', {}, tenant.adminToken);
    expect(answer).toMatchObject({ status: 400, body: { message: 'channel must be one of WEBHOOK, EMAIL.' } });
  });

  test('by a channel that is not set up is refused', async () => {
    expect(await trial('EMAIL')).toMatchObject({ status: 400, body: { message: expect.stringContaining('EMAIL') } });
    await ok(put({ recipients: ['ops@example.com'] }));
    expect(await trial('WEBHOOK')).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('WEBHOOK') },
    });
  });
});

describe('the mail server', () => {
  const letter = { id: 'x', to: ['ops@example.com'], subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

  test('that refuses the password is reported as such, without the password', async () => {
    const mailer = createMailer({ ...mail.smtp, auth: { user: 'laurel', pass: 'hunter2hunter2' } });
    const { sent, error } = await mailer.send(letter);
    expect(sent).toBe(false);
    expect(error).toMatch(/^EAUTH: 535/);
    expect(error).not.toContain('hunter2');
  });

  test('that is not there is reported as such', async () => {
    const mailer = createMailer({ ...mail.smtp, port: await freePort() });
    expect(await mailer.send(letter)).toMatchObject({ sent: false, error: expect.stringMatching(/^E[A-Z]+/) });
  });

  test('is read from the settings, with what is usual where nothing is said', () => {
    const from = 'Laurel <laurel@example.com>';
    expect(smtpSettings('smtp://mail.example.com', from)).toEqual({
      host: 'mail.example.com',
      port: 587,
      secure: false,
      auth: undefined,
      from,
    });
    expect(smtpSettings('smtps://la%40urel:p%3Aw@[::1]:2465/', from)).toEqual({
      host: '::1',
      port: 2465,
      secure: true,
      auth: { user: 'la@urel', pass: 'p:w' },
      from,
    });
    expect(smtpSettings('', undefined)).toBeUndefined();
  });

  test.each([
    [{ LAUREL_SMTP_URL: 'smtp://mail.example.com' }, /LAUREL_SMTP_FROM as well/],
    [{ LAUREL_SMTP_FROM: 'laurel@example.com' }, /LAUREL_SMTP_URL as well/],
    [{ LAUREL_SMTP_URL: 'https://u:hidden@mail', LAUREL_SMTP_FROM: 'a@b' }, /LAUREL_SMTP_URL must be smtp:/],
    [{ LAUREL_SMTP_URL: 'smtp://u:hidden@mail/x', LAUREL_SMTP_FROM: 'a@b' }, /LAUREL_SMTP_URL must be smtp:/],
    [{ LAUREL_SMTP_URL: 'smtp://hidden@mail', LAUREL_SMTP_FROM: 'a@b' }, /both a user and a password/],
    [{ LAUREL_SMTP_URL: 'smtp://u:hidden%@mail', LAUREL_SMTP_FROM: 'a@b' }, /percent-encoded/],
    [{ LAUREL_SMTP_URL: 'smtp://mail', LAUREL_SMTP_FROM: 'Laurel' }, /LAUREL_SMTP_FROM must be an e-mail address/],
    [{ LAUREL_PUBLIC_URL: 'laurel.example.com' }, /LAUREL_PUBLIC_URL must be an https address/],
    [{ LAUREL_PUBLIC_URL: 'https://laurel.example.com/console' }, /LAUREL_PUBLIC_URL must be scheme and host alone/],
  ])('settings that cannot be used are reported at the start, and never the password: %j', (env, words) => {
    const start = () => readConfig(env);
    expect(start).toThrow(words);
    expect(start).not.toThrow(/hidden/);
  });
});
