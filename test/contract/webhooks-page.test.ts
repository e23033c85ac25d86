import { createHmac } from 'node:crypto';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSigningSecret, signatureHeaders } from '../../src/webhooks/delivery/webhook-signature.ts';
import { type Received, type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { freePort } from '../support/free-port.ts';
import { newGame, newProduct } from '../support/game.ts';
import { sharedService, type TestService } from '../support/service.ts';
import { blockOf, blocksOf } from './support/page.ts';
import { GO_DRIVER, languages } from './support/verification-samples.ts';

const run = promisify(execFile);
const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

/** The text below a heading, up to the next of the same or a higher rank. */
function section(heading: string): string {
  const rank = /^#+/.exec(heading)![0].length;
  const [, text] = page.split(`\n${heading}\n`);
  if (text === undefined) throw new Error(`The page has no heading '${heading}'.`);
  return text.split(new RegExp(`^#{2,${rank}} `, 'm'))[0]!;
}

let service: TestService;
let receiver: Receiver;
let folder: string;
const paths = ['rewards', 'publication-status', 'mission-completed', 'stock-low'];
const secrets = new Map<string, string>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-webhooks-'));
  await symlink(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  service = await sharedService();
  receiver = await startReceiver();
  for (const path of paths) {
    const { body } = await service.rest('PUT', `/webhooks/${path}`, {
      endpoint: `${receiver.url}/${path}`,
      signed: true,
    });
    secrets.set(path, body.signingSecret);
  }
  for (const form of ['PLAIN', 'CLOUD_EVENTS']) {
    const endpoint = { name: form, url: `${receiver.url}/endpoint`, types: ['STOCK_LOW'], form };
    await service.rest('POST', '/webhooks/endpoints', { endpoint });
  }
  await play();
}, 60_000);
afterAll(async () => {
  await receiver.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Causes one delivery for each JSON of the page. */
async function play(): Promise<void> {
  const admin = async (path: string, body: object) => (await service.rest('POST', path, body)).body;
  await service.rest('POST', '/accounts', { externalId: 'ada', email: 'ada@example.com' });
  const emit = async (programmaticCode: string, operationId: string) =>
    expect(
      await service.rest('POST', '/gamification/triggers', {
        programmaticCode,
        accountId: 'ada',
        idType: 'EXTERNAL',
        metadata: {},
        operationId,
      }),
    ).toMatchObject({ status: 200 });
  const play = (code: string, missions: object[], rewards: object[]) =>
    newGame(service, {
      codes: { [code]: 'SINGLE' },
      missions: missions.map((mission) => ({ programmaticCode: code, ...mission })),
      rewards: rewards as Record<string, unknown>[],
    });
  const coupon = await newProduct(service, ['COFFEE-0001']);
  await play(
    'ONE',
    [{}],
    [
      { name: 'Points', type: 'POINTS', amount: 10 },
      { name: 'Coupon', type: 'PRODUCTS', amount: 1, productId: coupon },
    ],
  );
  await emit('ONE', 'one');
  const puzzle = await admin('/admin/products', {
    name: 'Puzzle',
    stockMode: 'CODES',
    fragmentsRequired: 3,
    lowStockThreshold: 2,
  });
  await admin(`/admin/products/${puzzle.id}/codes`, { codes: ['PUZZLE-0001', 'PUZZLE-0002'] });
  const points = await admin('/admin/rewards', { name: 'Inside', type: 'POINTS', amount: 1 });
  const chest = await admin('/admin/chests', { name: 'Box', entries: [{ rewardId: points.id, weight: 1 }] });
  await play(
    'TWO',
    [{}, { name: 'Every day', type: 'ROUTINE', period: 'DAY', target: 1, occurrences: 1 }],
    [
      { name: 'Pieces', type: 'FRAGMENTS', amount: 3, productId: puzzle.id },
      { name: 'A box', type: 'CHEST', amount: 1, chestId: chest.id },
    ],
  );
  await emit('TWO', 'two');
  const mug = await admin('/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock: 10 });
  const publication = await admin('/admin/publications', { name: 'Mug', stock: 10, productId: mug.id });
  await service.rest('POST', `/marketplace/publications/${publication.id}/publish`, undefined, service.adminToken);
  await receiver.got(9);
}

const sentTo = (path: string): Received[] => receiver.received.filter(({ url }) => url === `/${path}`);

/** Keys, types and enum values; other texts and numbers are examples. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shape(each)]));
  return typeof value === 'string' && /^[A-Z_]+$/.test(value) ? value : typeof value;
}

describe('the bodies of docs/webhooks.md are those that are sent', () => {
  const isRoutine = (body: { type?: string }) => body.type === 'ROUTINE';
  const isCloudEvent = (body: { specversion?: string }) => body.specversion !== undefined;
  const isOfOneMission = (body: Array<{ assignmentId?: string }>) => body[0]!.assignmentId !== undefined;
  test.each([
    ['### Rewards delivered', 'rewards', [isOfOneMission, (body: never) => !isOfOneMission(body)]],
    ['### Publication status', 'publication-status', [() => true]],
    ['### Mission completed', 'mission-completed', [(body: never) => !isRoutine(body), isRoutine]],
    ['### Stock low', 'stock-low', [() => true]],
    ['## Endpoints', 'endpoint', [(body: never) => !isCloudEvent(body), isCloudEvent]],
  ] as ReadonlyArray<readonly [string, string, ReadonlyArray<(body: never) => boolean>]>)(
    '%s',
    (heading, path, which) => {
      const shown = blocksOf(section(heading)).flatMap(({ language, code }) =>
        language === 'json' ? [JSON.parse(code)] : [],
      );
      const bodies = sentTo(path).map(({ body }) => JSON.parse(body) as never);
      expect(shown).toHaveLength(which.length);
      for (const [index, is] of which.entries()) expect(shape(bodies.find(is))).toEqual(shape(shown[index]));
    },
  );

  test('every header that it lists is sent, and no test event is real', () => {
    const listed = [...section('## Requests').matchAll(/^\| `([a-z-]+)` /gm)].map(([, name]) => name!);
    expect(listed).toHaveLength(5);
    for (const { headers } of receiver.received) expect(Object.keys(headers)).toEqual(expect.arrayContaining(listed));
    for (const { body } of receiver.received) expect(body).not.toContain('"test"');
  });
});

async function isThere(program: string): Promise<boolean> {
  const folders = program.startsWith('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  const found = await Promise.all(
    folders.map((each) =>
      access(join(each, program)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

type Given = { readonly secret: string; readonly headers: Record<string, string>; readonly body: string };

/** A signature that every attacker can make, for a receiver without its secret. */
function forgedWithoutSecret(body: string): Given {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', '').update(`forged.${timestamp}.${body}`).digest('base64');
  const headers = { 'webhook-id': 'forged', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  return { secret: 'whsec_', headers, body };
}

/** The requests that the sample accepts. */
async function taken(cwd: string, [program = '', ...args]: readonly string[], requests: readonly Given[]) {
  const env = { ...process.env, GOCACHE: join(folder, 'go-cache'), GO111MODULE: 'off' };
  const running = run(program, args, { cwd, env });
  running.child.stdin!.end(JSON.stringify(requests));
  return JSON.parse((await running).stdout) as boolean[];
}

describe.each(languages.map((each) => [each.heading.replace('### ', ''), each] as const))(
  'the sample in %s',
  async (name, own) => {
    const missing = !(await isThere(own.needs));
    const why = missing ? `: skipped, because ${own.needs} is not installed` : '';

    test.skipIf(missing)(
      `takes what was really sent, and refuses what is forged, altered or late${why}`,
      { timeout: 60_000 },
      async () => {
        const cwd = join(folder, name.replaceAll(/\W/g, '-'));
        await mkdir(cwd);
        await writeFile(join(cwd, own.file), blockOf(section(own.heading), own.language) + own.driver);
        if (own.language === 'go') await writeFile(join(cwd, 'driver.go'), GO_DRIVER);
        const { headers, body } = sentTo('mission-completed')[0]!;
        const secret = secrets.get('mission-completed')!;
        const sent = { secret, headers: headers as Record<string, string>, body };
        const signed = (secondsAgo: number) => ({
          ...sent,
          headers: signatureHeaders([secret], { id: 'made-here', body }, new Date(Date.now() - secondsAgo * 1000)),
        });
        const withHeader = (header: string, value: string) => ({
          ...sent,
          headers: { ...sent.headers, [header]: value },
        });
        const signature = sent.headers['webhook-signature']!;
        const genuine: Given[] = [
          sent,
          signed(200),
          withHeader('webhook-signature', `v1,${'A'.repeat(43)}= ${signature}`),
        ];
        const others: Given[] = [
          { ...sent, secret: newSigningSecret() },
          { ...sent, body: body.replace('"progress":1', '"progress":2') },
          withHeader('webhook-id', 'another'),
          withHeader('webhook-signature', 'v1,'),
          withHeader('webhook-timestamp', 'never'),
          signed(400),
          signed(-400),
          forgedWithoutSecret(body),
        ];
        for (const other of others) expect(other).not.toEqual(sent);
        const expected = [...genuine.map(() => true), ...others.map(() => false)];
        expect(await taken(cwd, own.command, [...genuine, ...others])).toEqual(expected);
      },
    );
  },
);

test('the receiver of the page verifies a test event, and Laurel learns the result', { timeout: 30_000 }, async () => {
  const cwd = join(folder, 'receiver');
  await mkdir(cwd);
  await writeFile(join(cwd, 'verify.ts'), blockOf(section('### TypeScript, with node:crypto'), 'ts'));
  await writeFile(join(cwd, 'receiver.ts'), blockOf(section('## Try it on your machine'), 'ts'));
  const port = await freePort();
  const start = async (secret: string) => {
    const env = { ...process.env, PORT: String(port), SIGNING_SECRET: secret };
    const child = spawn(process.execPath, ['receiver.ts'], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    return child;
  };
  for (const [secret, success] of [
    [secrets.get('mission-completed')!, true],
    [newSigningSecret(), false],
  ] as const) {
    const child = await start(secret);
    try {
      const commands = blockOf(section('## Try it on your machine'), 'sh').replace(
        '127.0.0.1:9000',
        `127.0.0.1:${port}`,
      );
      const { stdout } = await run('bash', ['-euc', commands], {
        env: {
          ...process.env,
          LAUREL: service.baseUrl,
          ADMIN: `Authorization: Bearer ${service.adminToken}`,
          JSON: 'Content-Type: application/json',
        },
      });
      expect(stdout).toMatch(new RegExp(`"signed":true.*\\{"success":${success}\\}$`, 's'));
    } finally {
      const ended = once(child, 'close');
      child.kill();
      await ended;
    }
  }
});
