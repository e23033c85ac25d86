import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scalarScript } from '../../.ci/docs/scalar-script.ts';
import { readConfig } from '../../src/app/config.ts';
import { docsFolder } from '../../src/server/pages/docs-pages.ts';
import { startTestServer, type TestServer } from './support.ts';

const KEY = 'lrl_key_of-the_demo';
const WORD = 'of-the_link';
const LINK = `/docs?word=${WORD}`;

let server: TestServer;
let demoKey: string | undefined;
beforeAll(async () => {
  server = await startTestServer(
    {},
    { demoKey: (word) => (word === WORD ? demoKey : undefined), corsOrigins: ['https://shop.example'] },
  );
});
afterAll(() => server.close());

type Answer = { readonly status: number; readonly headers: Record<string, unknown>; readonly body: string };

/** An unchanged request: `fetch` would refuse another host, and would normalise the path. */
function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.setEncoding('utf8');
      let body = '';
      response
        .on('data', (chunk: string) => (body += chunk))
        .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe("The demo's key", () => {
  test('is in the page that is opened on this machine by the link that was printed, which nobody stores', async () => {
    demoKey = KEY;
    for (const host of ['127.0.0.1', 'localhost:8080', '[::1]:8080', '127.5.0.1:1', 'LOCALHOST']) {
      const { body, headers } = await get(LINK, { host });
      expect([host, body.includes(`<body data-demo-key="${KEY}">`)]).toEqual([host, true]);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['etag']).toBeUndefined();
    }
  });

  test.each(['/docs', '/docs?word=', '/docs?word=another', '/docs?key=of-the_link', `/docs?word=x&word=${WORD}`])(
    'is not given without its word, to this machine neither, which a proxy that adds no header looks like: %s',
    async (path) => {
      demoKey = KEY;
      expect((await get(path, { host: '127.0.0.1' })).body).not.toContain(KEY);
    },
  );

  test.each([
    ['a host that points at this machine', { host: 'rebound.example' }],
    ['a host that begins like this machine', { host: 'localhost.rebound.example' }],
    ['a host below localhost', { host: 'a.localhost' }],
    ['an address that is no address', { host: '127.0.0.1.rebound.example' }],
    ['another address', { host: '10.0.0.5:8080' }],
    ['X-Forwarded-For', { 'x-forwarded-for': '127.0.0.1' }],
    ['an empty X-Forwarded-For', { 'x-forwarded-for': '' }],
    ['X-Forwarded-Host', { 'x-forwarded-host': 'localhost' }],
    ['X-Forwarded-Proto', { 'x-forwarded-proto': 'http' }],
    ['X-Real-IP', { 'x-real-ip': '127.0.0.1' }],
    ['Forwarded', { forwarded: 'for=127.0.0.1' }],
    ['Via', { via: '1.1 proxy' }],
    ['a script of an origin that may call', { origin: 'https://shop.example' }],
  ])('is not given to a request with %s', async (_name, headers: Record<string, string>) => {
    demoKey = KEY;
    const { status, body } = await get(LINK, headers);
    expect(status).toBe(200);
    expect(body).toContain('<div id="reference">');
    expect(body).not.toContain(KEY);
  });

  test('is not there without a demo, nor on any other page', async () => {
    demoKey = undefined;
    expect((await get(LINK)).body).not.toContain('data-demo-key');
    demoKey = KEY;
    expect((await get(`/docs/guide?word=${WORD}`)).body).not.toContain(KEY);
  });

  test('is offered by a demo on a database of its own, and never in production', () => {
    expect(readConfig({}).offerDemoKey).toBe(true);
    expect(readConfig({ LAUREL_DEMO: 'false' }).offerDemoKey).toBe(false);
    const production = { NODE_ENV: 'production', LAUREL_EMBEDDED_POSTGRES: 'true' };
    expect(readConfig(production).offerDemoKey).toBe(false);
    expect(readConfig({ ...production, LAUREL_DEMO: 'true' }).offerDemoKey).toBe(false);
    expect(readConfig({ DATABASE_URL: 'postgres://db/laurel', LAUREL_DEMO: 'true' }).offerDemoKey).toBe(false);
  });
});

test('what `npm start` prints on a terminal opens the docs with the key of its demo, once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'laurel-docs-'));
  const main = join(import.meta.dirname, '../../src/main.ts');
  const env = { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', LAUREL_DATA: join(folder, 'data') };
  const asTerminal = 'data:text/javascript,process.stdout.isTTY=true';
  const child = spawn(process.execPath, ['--import', asTerminal, main, 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  try {
    const lines = createInterface({ input: child.stdout });
    // The demo is announced after it is complete; the end of the process ends the lines.
    let link = '';
    for await (const line of lines) {
      link = /http:\S+\/docs\?word=\S+/.exec(line)?.[0] ?? '';
      if (link !== '') break;
    }
    const demo = JSON.parse(await readFile(join(folder, 'data/demo.json'), 'utf8')) as Record<string, string>;
    const textOf = async (url: string, init: RequestInit = {}) => (await fetch(url, init)).text();
    expect(await textOf(`${demo['baseUrl']}/docs`)).not.toContain(demo['apiKey']);
    // Neither request uses the word up.
    expect(await textOf(link, { headers: { 'x-forwarded-for': '203.0.113.9' } })).not.toContain(demo['apiKey']);
    await fetch(link, { method: 'HEAD' });
    const page = await textOf(link);
    const key = /data-demo-key="([^"]+)"/.exec(page)?.[1];
    expect(key).toBe(demo['apiKey']);
    const events = await fetch(`${demo['baseUrl']}/gamification/triggers`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(events.status).toBe(200);
    expect(await textOf(link)).not.toContain(key);
  } finally {
    child.stdout.resume();
    child.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);

describe('The files of the docs', () => {
  test('may run no inline script, be framed or call another host', async () => {
    for (const path of ['/docs', '/docs/widgets', '/docs/guide', '/docs/guide/calendar']) {
      const { headers, body } = await get(path, { host: 'docs.example' });
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe-eval');
      expect(policy.includes("'unsafe-inline'")).toBe(path === '/docs');
      expect(body.match(/<script(?![^>]*\bsrc=)[^>]*>|\son\w+=|\sstyle=|<style/g)).toBeNull();
    }
  });

  test('are remembered for ever by name, and the pages asked for again', async () => {
    const page = await get('/docs/guide');
    expect(page.headers['cache-control']).toBe('no-cache');
    expect((await get('/docs/guide', { 'if-none-match': String(page.headers['etag']) })).status).toBe(304);
    const reference = await get('/docs', { host: 'docs.example' });
    expect(reference.headers['cache-control']).toBe('no-store');
    const script = /\/docs\/assets\/scalar-\w+\.js/.exec(reference.body)?.[0] ?? '';
    const served = await get(script, { 'accept-encoding': 'identity' });
    expect(served.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(served.body === scalarScript()).toBe(true);
    const { headers } = await get(script, { 'accept-encoding': 'br' });
    expect(headers['content-encoding']).toBe('br');
    expect(Number(headers['content-length'])).toBeLessThan(1_200_000);
  });

  test('never leave their folder, and what is not there is a 404', async () => {
    for (const path of [
      '/docs/../../package.json',
      '/docs/guide/../../../package',
      '/docs/sample/../../../package',
      '/docs/%2e%2e/package.json',
      '/docs/.sources',
      '/docs/guide/nothing',
      '/docs/nothing',
      '/docs/assets/gone.js',
      '/docs/guide/guide',
    ]) {
      const { status, body } = await get(path);
      expect([path, status]).toEqual([path, 404]);
      expect(body).not.toContain('"dependencies"');
    }
    const { status, headers } = await get('/docs/guide/');
    expect([status, headers['location']]).toEqual([302, '/docs/guide']);
  });
});

/** Every built page of the guide, by its address. */
async function crawl(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const waiting = ['/docs/guide'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const { status, body } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    pages.set(path, body);
    waiting.push(...linksOf(body).flatMap((link) => (link.startsWith('/docs/guide') ? [link.split('#')[0]!] : [])));
  }
  return pages;
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));
}

describe('The guide', () => {
  test('has no link and no anchor that leads nowhere, and every page is reached', async () => {
    const pages = await crawl();
    const ids = new Map([...pages].map(([path, html]) => [path, idsOf(html)]));
    const broken: string[] = [];
    for (const [path, html] of pages) {
      for (const link of new Set(linksOf(html))) {
        const [target = '', fragment] = link.split('#');
        const leadsTo = target === '' ? path : target;
        // A stored list, because this machine may have no network.
        if (link.startsWith('https:')) continue;
        if (!link.startsWith('#') && !(await isServed(leadsTo))) broken.push(`${path}: ${link}`);
        if (fragment !== undefined && !ids.get(leadsTo)?.has(decodeURIComponent(fragment))) {
          broken.push(`${path}: ${link}`);
        }
      }
    }
    expect(broken).toEqual([]);
    expect(pages.size).toBeGreaterThan(40);
  });

  test('finds by its index only what is there', async () => {
    const home = (await get('/docs/guide')).body;
    const index = JSON.parse((await get(/data-index="([^"]+)"/.exec(home)?.[1] ?? '')).body) as {
      readonly documentIds: Readonly<Record<string, string>>;
    };
    const addresses = Object.values(index.documentIds);
    expect(addresses.length).toBeGreaterThan(100);
    const pages = await crawl();
    const lost = addresses.filter((address) => {
      const [path = '', fragment] = address.split('#');
      return !pages.has(path) || (fragment !== undefined && !idsOf(pages.get(path)!).has(fragment));
    });
    expect(lost).toEqual([]);
  });
});

test('fifty questions are answered in a few words, each with a link to the place that has more', () => {
  const faq = readFileSync(new URL('../../docs/guide/faq.md', import.meta.url), 'utf8');
  const questions = faq.split(/^### /m).slice(1);
  expect(questions.length).toBeGreaterThanOrEqual(50);
  for (const text of questions) expect(text).toMatch(/^[^\n]+\?.*\n\n(?:.+\n)*?.*\]\([^)]+\)/);
});

const served = new Map<string, Promise<boolean>>();

/** The console and the description belong to the whole service, which this server is not. */
function isServed(path: string): Promise<boolean> {
  if (path === '/console/' || path === '/openapi.json') return Promise.resolve(true);
  const known = served.get(path) ?? get(path).then(({ status }) => status === 200);
  served.set(path, known);
  return known;
}

function idsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
}

test('the docs are where the service looks for them', () => {
  expect(docsFolder.replaceAll('\\', '/')).toMatch(/\/dist\/docs$/);
});
