import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consoleFolder } from '../../src/server/pages/console-pages.ts';
import { sharedService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.baseUrl + path, { headers, redirect: 'manual' });

/** The addresses that a page's HTML loads automatically. */
async function loadedBy(html: string): Promise<string[]> {
  return [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path ?? '');
}

describe('The files of the console', () => {
  it('lead from / and /console to the page', async () => {
    for (const path of ['/', '/console']) {
      const answer = await get(`${path}?signInError=X`);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, '/console/?signInError=X']);
    }
  });

  it('allow no inline script and no frame, in the policy and in fact', async () => {
    const answer = await get('/console/');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('script-src');
    // A spreadsheet of more than 160 KB is compressed by a worker, and would never be ready without.
    expect(policy).toContain("worker-src 'self' blob:");
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    const html = await answer.text();
    expect(html.match(/<script(?![^>]*\bsrc=)[^>]*>/g)).toBeNull();
    expect(html.match(/\son\w+=/g)).toBeNull();
  });

  it('give the page for each of its addresses, and for no missing file', async () => {
    for (const path of ['/console/campaigns', '/console/accounts/6f2c/points', '/console/..%2f..%2fpackage.json']) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
      expect(await answer.text()).toContain('<div id="root">');
    }
    expect((await get('/console/assets/gone-12345678.js')).status).toBe(404);
  });

  it('never leave their folder, whatever the path', async () => {
    const body = await raw('/console/assets/../../../package.json');
    expect(body).not.toContain('"dependencies"');
  });

  it('are remembered for ever by name, and the page itself is asked for again', async () => {
    const page = await get('/console/');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const again = await get('/console/', { 'if-none-match': page.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    const [script] = (await loadedBy(await page.text())).filter((path) => path.includes('/assets/'));
    const answer = await get(script ?? '');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('come compressed as the browser asks', async () => {
    const [script = ''] = (await loadedBy(await (await get('/console/')).text())).filter((path) =>
      path.endsWith('.js'),
    );
    const plain = await get(script, { 'accept-encoding': 'identity' });
    const text = await plain.text();
    for (const encoding of ['gzip', 'br']) {
      const answer = await get(script, { 'accept-encoding': `${encoding}, *;q=0.1` });
      expect(answer.headers.get('vary')).toContain('Accept-Encoding');
      expect(await answer.text()).toBe(text);
    }
  });

  it('have the styles of each component that they use, and of no other', () => {
    const assets = readdirSync(`${consoleFolder}/assets`);
    const all = (end: string) =>
      assets
        .filter((file) => file.endsWith(end))
        .map((file) => readFileSync(`${consoleFolder}/assets/${file}`, 'utf8'))
        .join();
    const [scripts, styles] = [all('.js'), all('.css')];
    const wrong = [...componentStyles()].filter(([, style]) => {
      const classes = [...new Set([...style.matchAll(/\.(m_[0-9a-f]+)/g)].map(([, name]) => name!))];
      return (
        classes.length > 0 &&
        classes.some((name) => scripts.includes(name)) !== classes.some((name) => styles.includes(name))
      );
    });
    expect(wrong.map(([file]) => file)).toEqual([]);
  });

  it('take less than 400 KB at the first load, gzipped', async () => {
    const html = readFileSync(`${consoleFolder}/index.html`, 'utf8');
    const first = [...(await loadedBy(html)), ...signInFiles()].map((path) => path.replace('/console/', ''));
    const sizes = [...new Set(first)].map(gzipped);
    const total = sizes.reduce((sum, size) => sum + size, gzipSync(html).length);
    expect(total).toBeGreaterThan(100_000);
    expect(total).toBeLessThan(400_000);
  });
});

/** The styles of the library's components, by the names of their files. */
function componentStyles(): Map<string, string> {
  const folder = fileURLToPath(new URL('styles/', import.meta.resolve('@mantine/core/styles.css')));
  const files = readdirSync(folder).filter((file) => file.endsWith('.css') && !file.endsWith('.layer.css'));
  return new Map(files.map((file) => [file, readFileSync(`${folder}${file}`, 'utf8')]));
}

/** The files that the first page fetches beside those in its HTML: fonts, texts, the sign-in. */
function signInFiles(): string[] {
  const html = readFileSync(`${consoleFolder}/index.html`, 'utf8');
  const entry = /src="\/console\/(assets\/index-[^"]+\.js)"/.exec(html)?.[1] ?? '';
  const script = readFileSync(`${consoleFolder}/${entry}`, 'utf8');
  const names = [
    ...script.matchAll(/assets\/(?:en|sign-in|sign-in-frame|overview|inter-latin)[\w-]*\.(?:js|css|woff2)/g),
  ];
  const style = readFileSync(`${consoleFolder}/${/assets\/index-[^"]+\.css/.exec(html)?.[0] ?? ''}`, 'utf8');
  return [...names.map(([name]) => name), ...[...style.matchAll(/assets\/[\w-]+\.woff2/g)].map(([name]) => name)];
}

function gzipped(name: string): number {
  const body = readFileSync(`${consoleFolder}/${name}`);
  return name.endsWith('.woff2') ? body.length : gzipSync(body).length;
}

/** `fetch` normalises a path before it sends it; this function sends it unchanged. */
function raw(path: string): Promise<string> {
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (chunk: string) => (text += chunk)).on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
}
