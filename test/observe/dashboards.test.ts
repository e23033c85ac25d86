import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startServiceProcess } from '../faults/support/service-process.ts';
import { testDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { newGame } from '../support/game.ts';
import { newTenant, type Rest, restAs, startService, type TestService } from '../support/service.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const PROMETHEUS = join(ROOT, 'deploy/prometheus');

/** Tests that need it are skipped, with a message, if it is not installed. */
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

type Rule = { readonly alert: string; readonly expr: string; readonly annotations: Record<string, string> };
type Panel = { readonly type: string; readonly title: string; readonly targets?: readonly { readonly expr: string }[] };

let service: TestService;
let rules: readonly Rule[];
let panels: readonly Panel[];

beforeAll(async () => {
  rules = parse(await readFile(join(PROMETHEUS, 'alerts.yaml'), 'utf8')).groups[0].rules;
  panels = JSON.parse(await readFile(join(ROOT, 'deploy/grafana/laurel.json'), 'utf8')).panels;
  service = await startService();
  await newGame(service);
  await load(3);
});
afterAll(() => service.close());

/** Accounts that have sent an event. */
let loaded = 0;

/** Events that succeed and one call that fails, so that every metric has values. */
async function load(count: number, rest: Rest = service.rest): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const answer = await rest('POST', '/gamification/triggers', {
      programmaticCode: 'LOGIN',
      accountId: `loaded-${(loaded += 1)}`,
      idType: 'EXTERNAL',
    });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    await rest('GET', '/admin/campaigns');
  }
}

/** Names of metrics in a query: words before a selector, an operator or the end, without functions and labels. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(by|without) \([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z][a-z0-9_]*_[a-z0-9_]+\b(?!\s*\()/g)].map(([name]) => name);
}

/** Metrics that exist only with some settings. */
const CONDITIONAL = new Set([
  'laurel_tls_certificate_expiry_seconds',
  'laurel_process_deaths_total',
  'laurel_clock_skew_seconds',
  'laurel_clock_doubted',
  'laurel_job_last_success_timestamp_seconds',
  'laurel_job_interval_seconds',
  'laurel_job_failures_total',
]);

test('every metric that a rule or a panel names is in a live scrape', async () => {
  const exprs = [...rules.map(({ expr }) => expr), ...panels.flatMap(({ targets = [] }) => targets.map((t) => t.expr))];
  const named = new Set(exprs.flatMap(metricsIn));
  expect(named.size).toBeGreaterThan(25);
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  const shown = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
  const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '');
  const missing = [...named].filter((name) => !shown.has(name) && !shown.has(base(name)) && !CONDITIONAL.has(name));
  expect(missing).toEqual([]);
  const source = await run('grep', ['-rhoE', `laurel_[a-z_]+`, join(ROOT, 'src')]);
  const declared = new Set(source.stdout.split('\n'));
  expect([...CONDITIONAL].filter((name) => !declared.has(name))).toEqual([]);
});

test('every metric of ours has a help text, and the name of its unit', async () => {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text();
  for (const [, name, help] of text.matchAll(/^# HELP (laurel_\S+) (.*)$/gm))
    expect(help!.length, name).toBeGreaterThan(15);
  for (const [, name, type] of text.matchAll(/^# TYPE (laurel_\S+) (\S+)$/gm)) {
    if (type === 'counter') expect(name).toMatch(/_total$/);
    else expect(name).not.toMatch(/_total$/);
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|mb)\b/);
  }
});

test('every alert has its paragraph in the runbook, and every paragraph its alert', async () => {
  const page = await readFile(join(ROOT, 'docs/runbook.md'), 'utf8');
  const paragraphs = new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((part) => [part.split('\n', 1)[0]!, part]),
  );
  expect([...paragraphs.keys()]).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, annotations } of rules) {
    expect(annotations['runbook_url']).toBe(`/docs/guide/runbook#${alert.toLowerCase()}`);
    for (const word of ['**Means:**', '**Look at:**', '**Do:**']) expect(paragraphs.get(alert), alert).toContain(word);
  }
});

describe.skipIf(!has('promtool'))('promtool (skipped where it is not installed)', () => {
  test('takes the rules and the example configuration, and the rules fire when they should', async () => {
    await run('promtool', ['check', 'rules', join(PROMETHEUS, 'alerts.yaml')]);
    await run('promtool', ['check', 'config', join(PROMETHEUS, 'prometheus.yaml')]);
    await run('promtool', ['test', 'rules', join(PROMETHEUS, 'alerts.test.yaml')]);
  });
});

/** A host as in production, with jobs, clock and webhooks: a process with a game and a receiver of its webhooks. */
async function hostAtWork() {
  const database = await testDatabase();
  const tenant = await newTenant(database.db);
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const host = await startServiceProcess(database.url, { env: { LAUREL_WEBHOOK_ALLOW_PRIVATE: 'true' } });
  const rest = restAs(host.baseUrl, tenant);
  await newGame({ rest, adminToken: tenant.adminToken });
  const { port } = receiver.address() as AddressInfo;
  const hook = await rest('PUT', '/webhooks/mission-completed', { endpoint: `http://127.0.0.1:${port}/hook` });
  if (hook.status !== 200) throw new Error(JSON.stringify(hook));
  return {
    baseUrl: host.baseUrl,
    rest,
    async close() {
      await host.end('SIGTERM');
      receiver.close();
      await database.drop();
    },
  };
}

describe.skipIf(!has('prometheus'))('a real Prometheus (skipped where it is not installed)', () => {
  test('gives figures for every query of the dashboard after some load', { timeout: 180_000 }, async () => {
    const host = await hostAtWork();
    const folder = await mkdtemp(join(tmpdir(), 'laurel-prometheus-'));
    const port = await freePort();
    const example = await readFile(join(PROMETHEUS, 'prometheus.yaml'), 'utf8');
    const config = example
      .replaceAll('15s', '1s')
      .replace('alerts.yaml', join(PROMETHEUS, 'alerts.yaml'))
      .replace('localhost:8080', new URL(host.baseUrl).host);
    await writeFile(join(folder, 'prometheus.yaml'), config);
    const args = [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    const prometheus = spawn('prometheus', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      for await (const line of createInterface(prometheus.stderr)) if (line.includes('ready to receive')) break;
      prometheus.stderr.resume();
      const query = async (expr: string) => {
        const plain = expr.replaceAll('$__rate_interval', '10s').replaceAll('$instance', '.+');
        const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(plain)}`;
        const body = (await (await fetch(url)).json()) as {
          status: string;
          error?: string;
          data: { result: Array<{ value: [number, string] }> };
        };
        expect(body.status, `${expr}: ${body.error}`).toBe('success');
        // A share of zero is not a number.
        return body.data.result.filter(({ value }) => value[1] !== 'NaN').length;
      };
      const left = new Map(
        panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [expr, title] as const)),
      );
      const until = performance.now() + 60_000;
      while (left.size > 0 && performance.now() < until) {
        await load(5, host.rest);
        for (const expr of left.keys()) if ((await query(expr)) > 0) left.delete(expr);
        await sleep(500);
      }
      expect([...left]).toEqual([]);
    } finally {
      prometheus.kill();
      await once(prometheus, 'exit');
      await rm(folder, { recursive: true });
      await host.close();
    }
  });
});
