import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createFileRegistry,
  type DescMethod,
  type DescService,
  type FileRegistry,
  fromBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { layThirdPartyProtos } from '../../.ci/third-party-protos.ts';
import { type RestOptions, restOptionsIn, type Route, routesOf } from '../../src/gateway/route.ts';

/** The descriptors of test/gateway/proto, compiled at run time: a proto is served without generated code. */
export const registry: FileRegistry = compile();

/** The options of the routes of the test protos. */
export const restOptions: RestOptions = present(restOptionsIn(registry), 'google.api.http');

/** All routes of a test service, for example `LibraryService`. */
export function routesOfService(name: string): Route[] {
  return serviceNamed(name).methods.flatMap((rpc) => routesOf(rpc, restOptions));
}

/** The first route of an RPC, for example `LibraryService.AddBook`. */
export function routeOfRpc(name: string): Route {
  return present(routesOf(rpcNamed(name), restOptions)[0], name);
}

/** An RPC of the test services, for example `LibraryService.AddBook`. */
export function rpcNamed(name: string): DescMethod {
  const [service = '', rpc] = name.split('.');
  return present(
    serviceNamed(service).methods.find((method) => method.name === rpc),
    name,
  );
}

function serviceNamed(name: string): DescService {
  return present(registry.getService(`gateway.test.v1.${name}`), name);
}

function compile(): FileRegistry {
  const root = join(import.meta.dirname, '..', '..');
  const folder = mkdtempSync(join(tmpdir(), 'laurel-test-protos-'));
  try {
    cpSync(join(root, 'test', 'gateway', 'proto'), folder, { recursive: true });
    for (const file of ['laurel/errors/v1/errors.proto', 'laurel/http/v1/options.proto'])
      lay(folder, file, readFileSync(join(root, 'proto', file), 'utf8'));
    layThirdPartyProtos(folder);
    const set = execFileSync('buf', ['build', folder, '-o', '-#format=binpb'], { maxBuffer: 2 ** 24 });
    return createFileRegistry(fromBinary(FileDescriptorSetSchema, set));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lay(folder: string, file: string, text: string): void {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function present<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`The test protos have no ${name}.`);
  return value;
}
