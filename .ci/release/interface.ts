import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '../../gen/routes.ts';
import { readConfig } from '../../src/app/config.ts';
import { bindingOf } from '../../src/gateway/binding.ts';
import { pathOf } from '../../src/gateway/codegen/openapi-operation.ts';
import { declaredCodes } from '../../src/kernel/errors/error-codes.ts';
import { createMetrics } from '../../src/server/metrics.ts';

/** Writes the interface of this release for callers and operators: descriptors, routes, operation ids, error codes, settings, metrics. */
export function writeInterface(folder: string, metrics: readonly string[]): void {
  execFileSync('buf', ['build', 'proto', '--exclude-source-info', '--output', join(folder, 'descriptors.binpb')]);
  const operations = { 'operation-ids': operationIds(), 'error-codes': errorCodes() };
  const lists = { routes: routeTable(), ...operations, settings: settings(), metrics };
  for (const [name, value] of Object.entries(lists)) {
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`);
  }
}

/** The routes, sorted, for example `GET /accounts/{id} laurel.v1.AccountService.GetAccount 200`. */
export function routeTable(): string[] {
  return routes
    .map(
      ({ rpc, httpMethod, path, successStatus }) =>
        `${httpMethod} ${path} ${rpc.parent.typeName}.${rpc.name} ${successStatus}`,
    )
    .toSorted();
}

/** The operation id of each REST operation in OpenAPI, by method and path in its spelling; sorted. */
export function operationIds(): Record<string, string> {
  return Object.fromEntries(
    routes
      .map((route) => [`${route.httpMethod} ${pathOf(bindingOf(route))}`, route.operationId] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** The declared error codes of each REST operation, by method and path in OpenAPI's spelling; sorted. */
export function errorCodes(): Record<string, string[]> {
  return Object.fromEntries(
    routes.map((route) => [
      `${route.httpMethod} ${pathOf(bindingOf(route))}`,
      [...new Set(declaredCodes(route.rpc))].toSorted(),
    ]),
  );
}

/** The names of the environment variables that the service reads, including former names; sorted. */
export function settings(): string[] {
  const names = new Set<string>();
  const note = (name: string | symbol): undefined => void names.add(String(name));
  readConfig(new Proxy<NodeJS.ProcessEnv>({}, { get: (_, name) => note(name), has: (_, name) => Boolean(note(name)) }));
  return [...names].toSorted();
}

/**
 * The names of the metrics in the sources, and of the process's metrics. `/metrics` of a running service, the source of a release's record,
 * shows the same.
 */
export function metricNames(): string[] {
  const declared = sources('src').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(METRIC)].map(([, name]) => name),
  );
  return [
    ...createMetrics()
      .registry.getMetricsAsArray()
      .map(({ name }) => name),
    ...declared,
  ];
}

/** A metric in the sources: `name: 'laurel_clock_skew_seconds'` in its options, or the first argument of `watch`. */
const METRIC = /(?:\bname: |\bwatch\()'((?:http|laurel)_[a-z_]+)'/g;

/** The sources of the server. */
function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('console'))
    .map((path) => join(folder, path));
}
