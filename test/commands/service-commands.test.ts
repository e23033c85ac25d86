// The commands that people use on a running service, each as a process.
import { createHmac } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createInterface } from 'node:readline';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { newGame } from '../support/game.ts';
import { isExecutable } from '../support/is-executable.ts';
import { startService, type TestService } from '../support/service.ts';
import { newPerson, type Person } from './support/people.ts';

const hasTerminals = process.platform === 'linux' && isExecutable('/usr/bin/script');

/** The time limit: each command starts a process. */
const TIMEOUT = { timeout: 120_000 };
const SECRET = `whsec_${Buffer.alloc(24, 'test').toString('base64')}`;
const WEBHOOK = { type: 'MISSION_COMPLETED', occurredAt: '2026-05-04T10:30:00Z', data: { missionName: 'Spend' } };

let service: TestService;
let person: Person;

beforeAll(async () => {
  service = await startService();
  await newGame(service, { missions: [{ name: 'Spend', programmaticCode: 'PURCHASE', target: 100 }] });
  // The token of an administrator may do all of it.
  person = await newPerson({ LAUREL_URL: service.baseUrl, LAUREL_KEY: service.adminToken });
}, 120_000);
afterAll(async () => {
  await Promise.all([service.close(), person.close()]);
});

function line(more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ programmaticCode: 'PURCHASE', accountId: 'replayed', metadata: { amount: 1 }, ...more });
}

/** The progress of the mission, over REST. */
async function progressOf(account: string): Promise<number> {
  const { body } = await service.rest('GET', `/v1/gamification/missions/progress/${account}?idType=EXTERNAL`);
  return body[0]?.progress ?? 0;
}

function signed(body: string, secret = SECRET): Record<string, string> {
  const [id, timestamp] = ['msg_1', String(Math.floor(Date.now() / 1_000))];
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** A listening `laurel webhooks listen`, and its output when it has ended. */
async function listener(args: readonly string[], { port = 0, secret = SECRET } = {}) {
  const child = spawn(join(person.folder, 'bin/laurel'), ['webhooks', 'listen', '--port', `${port}`, ...args], {
    env: { PATH: process.env['PATH'], LAUREL_WEBHOOK_SECRET: secret },
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const [first] = (await once(createInterface(child.stderr), 'line')) as [string];
  const url = /http:\S+?(?=[.,]( |$))/.exec(first)![0];
  const post = async (body: string, headers = signed(body)) =>
    (await fetch(url, { method: 'POST', body, headers })).status;
  const ended = once(child, 'close').then(([code]) => ({ code, out }));
  return { post, ended };
}

describe('events', () => {
  test(
    'an event is applied once for an operation id, with attributes and amounts as they were typed',
    TIMEOUT,
    async () => {
      const emit = 'laurel events emit PURCHASE once --amount 12.5 --operation-id once-1';
      expect((await person.sh(emit)).out).toMatch(/^MISSION +PROGRESS +STATUS\nSpend +12\.5 of 100 +ACTIVE\n$/);
      expect((await person.sh(`${emit} --output json`)).code).toBe(0);
      expect(await progressOf('once')).toBe(12.5);
      const undeclared = await person.sh('laurel events emit PURCHASE once --amount 1 --attribute colour=red');
      expect(undeclared).toMatchObject({ code: 1, errors: expect.stringMatching(/^BAD_REQUEST: metadata of/) });
    },
  );

  test('a replay sends every line once, equal lines each, and a second run nothing', TIMEOUT, async () => {
    const lines = Array.from({ length: 50 }, (_, index) =>
      line({ accountId: 'twice', ...(index % 2 && { operationId: `t-${index}` }) }),
    );
    await writeFile(join(person.folder, 'twice.ndjson'), `${lines.join('\n')}\n`);
    const replay = () => person.sh('laurel events replay twice.ndjson --batch 7');
    expect(await replay()).toEqual({ code: 0, out: '50 applied, 0 refused.\n', errors: '' });
    expect(await progressOf('twice')).toBe(50);
    expect((await replay()).code).toBe(0);
    const rest = await person.sh('tail -n +11 twice.ndjson > rest; laurel events replay twice.ndjson --from-line 11');
    expect(rest.out).toBe('40 applied, 0 refused.\n');
    expect(await progressOf('twice')).toBe(50);
    await writeFile(join(person.folder, 'twice.ndjson'), `${[...lines, line({ accountId: 'twice' })].join('\n')}\n`);
    expect((await replay()).out).toBe('51 applied, 0 refused.\n');
    expect(await progressOf('twice')).toBe(51);
  });

  test('refused and malformed lines are named, all others are applied, and the exit code is 4', TIMEOUT, async () => {
    const lines = [
      line({ accountId: 'some' }),
      '{',
      line({ programmaticCode: 'NO_SUCH' }),
      '',
      line({ accountId: 'some' }),
    ];
    const { code, out, errors } = await person.sh('laurel events replay -', {}, lines.join('\n'));
    expect({ code, out }).toEqual({ code: 4, out: '2 applied, 2 refused.\n' });
    expect(errors).toMatch(/^line 2: MALFORMED_LINE: .*\nline 3: EVENT_DEFINITION_NOT_FOUND: .*\n$/);
    expect(await progressOf('some')).toBe(2);
  });

  test('a replay that was cut off says from which line it goes on, and loses nothing', TIMEOUT, async () => {
    let calls = 0;
    const gate = createServer((request, response) => {
      calls += 1;
      const { authorization = '', 'content-type': type = '' } = request.headers;
      const headers = { 'content-type': type, authorization: calls > 2 ? 'Bearer none' : authorization };
      const pass = async () => {
        const body = await buffer(request);
        const answer = await fetch(`${service.baseUrl}${request.url}`, { method: 'POST', headers, body });
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! });
        response.end(Buffer.from(await answer.arrayBuffer()));
      };
      void pass();
    }).listen(0, '127.0.0.1');
    await once(gate, 'listening');
    const lines = Array.from({ length: 20 }, () => line({ accountId: 'cut' }));
    await writeFile(join(person.folder, 'cut.ndjson'), lines.join('\n'));
    const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
    const cut = await person.sh(`laurel events replay cut.ndjson --batch 5 --url ${url}`);
    expect(cut).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^To go on: --from-line 11.*\nUNAUTHENTICATED/),
    });
    expect(await progressOf('cut')).toBe(10);
    gate.close();
    expect((await person.sh('laurel events replay cut.ndjson --from-line 11')).code).toBe(0);
    expect(await progressOf('cut')).toBe(20);
  });

  test('Ctrl-C ends a replay after the lines that it has read, with exit code 130', TIMEOUT, async () => {
    const child = spawn(join(person.folder, 'bin/laurel'), ['events', 'replay', '-', '--batch', '2'], {
      env: { PATH: process.env['PATH'], LAUREL_URL: service.baseUrl, LAUREL_KEY: service.adminToken },
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.stdin.write([1, 2, 3].map(() => `${line({ accountId: 'interrupted' })}\n`).join(''));
    await expect.poll(() => progressOf('interrupted'), { timeout: 30_000 }).toBe(2);
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, errors }).toEqual({ code: 130, errors: expect.stringContaining('--from-line 4') });
    expect(await progressOf('interrupted')).toBe(3);
  });

  test('a service that does not answer is exit code 5', TIMEOUT, async () => {
    const { code, errors } = await person.sh('laurel accounts show pia --url http://127.0.0.1:9');
    expect(code).toBe(5);
    expect(errors).toMatch(/^UNAVAILABLE: There was no answer/);
  });
});

describe('reads', () => {
  test('JSON and YAML have the same answer, and a table is plain where there is no terminal', TIMEOUT, async () => {
    await person.sh('laurel events emit PURCHASE reader --amount 3');
    const json = JSON.parse((await person.sh('laurel accounts show reader --output json')).out);
    expect(json).toMatchObject({ account: { externalId: 'reader' }, missions: [{ name: 'Spend', progress: 3 }] });
    expect(parse((await person.sh('laurel accounts show reader --output yaml')).out)).toEqual(json);
    const { out } = await person.sh('laurel accounts show reader', { FORCE_COLOR: '1' });
    expect(out).toMatch(/external id +reader/);
    // oxlint-disable-next-line no-control-regex -- colours would begin with it
    expect(out).not.toMatch(/\u001b/);
    const timeline = await person.sh('laurel accounts timeline reader --kind EVENT');
    expect(timeline.out).toMatch(/EVENT +PURCHASE PROGRESSED/);
  });

  test.skipIf(!hasTerminals)(
    'a terminal has colours and progress, and NO_COLOR switches colours off (skipped without /usr/bin/script)',
    TIMEOUT,
    async () => {
      await writeFile(join(person.folder, 'shown.ndjson'), `${line({ accountId: 'shown', operationId: 'shown' })}\n`);
      const onTerminal = (typed: string, env = {}) =>
        person.sh(`script -qfec '${typed}' /dev/null`, { TERM: 'xterm', ...env });
      // oxlint-disable-next-line no-control-regex -- colours begin with it
      expect((await onTerminal('laurel accounts show reader')).out).toMatch(/\u001b\[1mid/);
      expect((await onTerminal('laurel accounts show reader', { NO_COLOR: '1' })).out).not.toContain('\u001b[1m');
      expect((await onTerminal('laurel events replay shown.ndjson')).out).toContain('100 %, 1 applied, 0 refused');
    },
  );

  test('a simulation says why an event would not count, and changes nothing', TIMEOUT, async () => {
    const { out } = await person.sh('laurel simulate PURCHASE reader --amount 0 --explain');
    expect(out).toMatch(/no effect +NOT_POSITIVE/);
    expect(out).toMatch(/Spend:\n {2}\S+/);
    expect(await progressOf('reader')).toBe(3);
  });

  test('texts of the service reach no terminal as its commands', TIMEOUT, async () => {
    const name = 'red \u001b[31m\u202e';
    await service.rest('POST', '/accounts', { externalId: 'escape', name });
    const { out } = await person.sh('laurel accounts show escape');
    expect(out).toContain('\\u001b[31m\\u202e');
  });
});

describe('addresses and keys', () => {
  test('a profile is readable by its owner only, and a file that others may read is refused', TIMEOUT, async () => {
    const none = { LAUREL_URL: '', LAUREL_KEY: '' };
    const missing = await person.sh('rm -rf laurel; laurel accounts show pia', none);
    expect(missing).toMatchObject({ code: 2, errors: expect.stringContaining('laurel profiles set default') });
    const set = await person.sh(
      `laurel profiles set default --url ${service.baseUrl}/`,
      none,
      `${service.adminToken}\n`,
    );
    expect(set.code).toBe(0);
    const path = join(person.folder, 'laurel/profiles.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await person.sh('laurel accounts feed pia', none)).code).toBe(0);
    const { out } = await person.sh('laurel profiles list', none);
    expect(out).toContain(service.baseUrl);
    expect(out).not.toContain(service.adminToken);
    expect(await readFile(path, 'utf8')).toContain(service.adminToken);
    await chmod(path, 0o640);
    const refused = await person.sh('laurel accounts feed pia', none);
    expect(refused).toMatchObject({ code: 2, errors: expect.stringContaining('chmod 600') });
  });

  test('the key of a profile is not sent to another address', TIMEOUT, async () => {
    const both = await person.sh('laurel accounts feed pia --url http://127.0.0.1:9 --profile default');
    expect(both.code).toBe(2);
    const keyless = await person.sh('laurel accounts feed pia --url http://127.0.0.1:9', { LAUREL_KEY: '' });
    expect(keyless).toMatchObject({ code: 2, errors: expect.stringContaining('There is no key') });
  });
});

describe('webhooks listen', () => {
  test('prints what is signed, refuses what is not, and passes the same bytes on', TIMEOUT, async () => {
    const got: { headers: IncomingHttpHeaders; body: string }[] = [];
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        got.push({ headers: request.headers, body });
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
    const { post, ended } = await listener(['--to', to, '--count', '1', '--output', 'json']);
    const body = JSON.stringify(WEBHOOK);
    expect(await post(body, { 'webhook-id': 'msg_0' })).toBe(400);
    expect(await post(body, signed(body, `whsec_${Buffer.alloc(24, 'x').toString('base64')}`))).toBe(400);
    expect(await post(body)).toBe(204);
    const { code, out } = await ended;
    expect({ code, printed: JSON.parse(out) }).toEqual({ code: 0, printed: WEBHOOK });
    expect(got).toEqual([{ headers: expect.objectContaining({ 'webhook-id': 'msg_1' }), body }]);
    receiver.close();
  });

  test('receives what the service sends to an endpoint', TIMEOUT, async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    const endpoint = { name: 'Here', url, types: ['MISSION_COMPLETED'] };
    const { body } = await service.rest('POST', '/webhooks/endpoints', { endpoint });
    const { ended } = await listener(['--count', '1'], { port, secret: (body.endpoint ?? body).signingSecret });
    expect((await person.sh('laurel events emit PURCHASE hooked --amount 100')).code).toBe(0);
    const { code, out } = await ended;
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/ {2}MISSION_COMPLETED {2}[^]*"Spend"/) });
  });

  test('needs a secret, because anybody can send a webhook', TIMEOUT, async () => {
    expect(await person.sh('laurel webhooks listen')).toMatchObject({ code: 2 });
  });
});
