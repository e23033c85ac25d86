// The protos as users get them: a team by `npm run export-protos -- <folder>`, a developer in a checkout. Every tool must accept them
// unchanged.
import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { create, fromBinary, toJson } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { file_buf_validate_validate as validate } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import { loadSync } from '@grpc/proto-loader';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LAST_RELEASE } from '../../src/persistence/migrating/own-migrations.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

let folder: string;
let files: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-exported-'));
  await run('npm', ['run', '-s', '--ignore-scripts', 'export-protos', '--', folder]);
  files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.proto'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('@grpc/proto-loader loads every exported proto', () => {
  const loaded = loadSync(files, { includeDirs: [folder], keepCase: true });
  expect(Object.keys(loaded['laurel.v1.TriggerService'] ?? {})).toContain('EmitTrigger');
  expect(loaded).toHaveProperty(['buf.validate.StringRules']);
});

test('the printed validate.proto compiles to the descriptor that it was printed from', () => {
  const set = execFileSync('buf', ['build', folder, '--exclude-source-info', '-o', '-#format=binpb'], {
    maxBuffer: 2 ** 24,
  });
  const compiled = fromBinary(FileDescriptorSetSchema, set).file.find(
    ({ name }) => name === 'buf/validate/validate.proto',
  );
  expect(plain(compiled)).toEqual(plain(validate.proto));
});

test('plain `buf lint` and `buf breaking` work in a checkout that was set up', async () => {
  const checkout = await mkdtemp(join(tmpdir(), 'laurel-checkout-'));
  const buf = (...args: string[]) => run(join(root, 'node_modules/.bin/buf'), args, { cwd: checkout });
  const release = join(root, `test/fixtures/v${LAST_RELEASE.version}/descriptors.binpb`);
  try {
    for (const path of ['.ci', 'buf.yaml', 'package-lock.json', 'proto']) {
      await cp(join(root, path), join(checkout, path), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
    await run('node', [join(checkout, '.ci/setup.mjs'), '--tests']);
    await buf('lint');
    await buf('breaking', 'proto', '--against', release);
    const proto = join(checkout, 'proto/laurel/v1/trigger_service.proto');
    await writeFile(proto, (await readFile(proto, 'utf8')).replace(/ = 1(;| \[)/, ' = 999$1'));
    await expect(buf('breaking', 'proto', '--against', release)).rejects.toMatchObject({
      stdout: expect.stringContaining('trigger_service.proto'),
    });
  } finally {
    await rm(checkout, { recursive: true, force: true });
  }
});

function plain(proto: typeof validate.proto | undefined): unknown {
  return toJson(FileDescriptorProtoSchema, proto ?? create(FileDescriptorProtoSchema));
}
