// Copies the third-party proto files that our protos import into the git-ignored folder `.laurel/protos`, so that `buf` works without a
// registry. `google/*` and the gRPC health and reflection services come from npm packages. `buf/validate/validate.proto` is in no package,
// so it is printed from the descriptor in @bufbuild/protovalidate. `npm run setup -- --tests` calls it if the folder is missing or out of
// date.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { validateProtoSource } from './validate-proto-source.ts';

const require = createRequire(import.meta.url);
/** The imported files, each by its package and its path in that package. */
const copied = [
  ['google-gax', 'build/protos/google/api/annotations.proto', 'google/api/annotations.proto'],
  ['google-gax', 'build/protos/google/api/http.proto', 'google/api/http.proto'],
  ['google-gax', 'build/protos/google/rpc/error_details.proto', 'google/rpc/error_details.proto'],
  ['google-gax', 'build/protos/google/rpc/status.proto', 'google/rpc/status.proto'],
  ['grpc-health-check', 'proto/health/v1/health.proto', 'grpc/health/v1/health.proto'],
  ['@grpc/reflection', 'build/proto/grpc/reflection/v1/reflection.proto', 'grpc/reflection/v1/reflection.proto'],
  [
    '@grpc/reflection',
    'build/proto/grpc/reflection/v1alpha/reflection.proto',
    'grpc/reflection/v1alpha/reflection.proto',
  ],
] as const;

/** Writes all of them into a folder. */
export function layThirdPartyProtos(folder: string): void {
  for (const [name, from, to] of copied) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    cpSync(join(packageFolder(name), from), join(folder, to));
  }
  mkdirSync(join(folder, 'buf/validate'), { recursive: true });
  writeFileSync(join(folder, 'buf/validate/validate.proto'), validateProtoSource());
}

/** The folder of a package under node_modules, found by walking upwards, since not every package exports its package.json. */
function packageFolder(name: string): string {
  const folder = require.resolve
    .paths(name)
    ?.map((path) => join(path, name))
    .find((folder) => existsSync(join(folder, 'package.json')));
  if (!folder) throw new Error(`The npm package ${name} is not installed. Run \`npm run setup -- --tests\` first.`);
  return folder;
}

if (import.meta.main) {
  const target = join(import.meta.dirname, '..', '.laurel', 'protos');
  // Written beside the target and then renamed: another command may be reading the folder.
  const fresh = `${target}.${process.pid}`;
  layThirdPartyProtos(fresh);
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
}
