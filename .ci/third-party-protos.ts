// Lays the third-party proto files that our own import into the git-ignored folder `.laurel/protos`, so that
// `buf` works without a registry: `google/*` and the gRPC health and reflection services are copied out of npm
// packages; `buf/validate/validate.proto` is in no package, so it is printed from the descriptor that
// @bufbuild/protovalidate carries. The folder is a cache: delete it at will.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { validateProtoSource } from './validate-proto-source.ts';

const require = createRequire(import.meta.url);
const target = join(import.meta.dirname, '..', '.laurel', 'protos');

/** The files we import, each by the package that ships it and its path inside that package. */
const copied = [
  ['google-proto-files', 'google/api/annotations.proto', 'google/api/annotations.proto'],
  ['google-proto-files', 'google/api/http.proto', 'google/api/http.proto'],
  ['google-proto-files', 'google/rpc/error_details.proto', 'google/rpc/error_details.proto'],
  ['grpc-health-check', 'proto/health/v1/health.proto', 'grpc/health/v1/health.proto'],
  ['@grpc/reflection', 'build/proto/grpc/reflection/v1/reflection.proto', 'grpc/reflection/v1/reflection.proto'],
  [
    '@grpc/reflection',
    'build/proto/grpc/reflection/v1alpha/reflection.proto',
    'grpc/reflection/v1alpha/reflection.proto',
  ],
] as const;

/** Where the versions that the cache was made from are noted; another version makes it again. */
const stampFile = join(target, 'stamp.json');
const packages = [...new Set(copied.map(([name]) => name)), '@bufbuild/protovalidate'];
const stamp = JSON.stringify(Object.fromEntries(packages.map((name) => [name, versionOf(name)])));

if (currentStamp() !== stamp) {
  rmSync(target, { recursive: true, force: true });
  for (const [name, from, to] of copied) {
    mkdirSync(dirname(join(target, to)), { recursive: true });
    cpSync(join(packageFolder(name), from), join(target, to));
  }
  mkdirSync(join(target, 'buf/validate'), { recursive: true });
  writeFileSync(join(target, 'buf/validate/validate.proto'), validateProtoSource());
  writeFileSync(stampFile, stamp);
}

/** The folder under node_modules; found by walking, since not every package exports its package.json. */
function packageFolder(name: string): string {
  const folder = require.resolve
    .paths(name)
    ?.map((path) => join(path, name))
    .find(exists);
  if (!folder) throw new Error(`The npm package ${name} is not installed. Run \`npm run setup\` first.`);
  return folder;
}

function versionOf(name: string): string {
  return (JSON.parse(readFileSync(join(packageFolder(name), 'package.json'), 'utf8')) as { version: string }).version;
}

function exists(folder: string): boolean {
  try {
    readFileSync(join(folder, 'package.json'));
    return true;
  } catch {
    return false;
  }
}

function currentStamp(): string | undefined {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch {
    return undefined;
  }
}
