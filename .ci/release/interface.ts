import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { routes } from '../../gen/routes.ts';

/** Writes what callers and operators of this release hold on to: descriptors, routes, error codes, settings, metrics. */
export function writeInterface(folder: string, metrics: readonly string[]): void {
  execFileSync('buf', ['build', 'proto', '--exclude-source-info', '--output', join(folder, 'descriptors.binpb')]);
  const lists = { routes: routeTable(), 'error-codes': errorCodes(), settings: settings(), metrics };
  for (const [name, value] of Object.entries(lists)) {
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(value, null, 2)}\n`);
  }
}

/** `GET /accounts/{id} laurel.v1.AccountService.GetAccount 200`, sorted. */
function routeTable(): string[] {
  return routes
    .map(
      ({ rpc, httpMethod, path, successStatus }) =>
        `${httpMethod} ${path} ${rpc.parent.typeName}.${rpc.name} ${successStatus}`,
    )
    .toSorted();
}

/** The codes that the description of each operation declares, by method and path; operations without any are left out. */
function errorCodes(): Record<string, string[]> {
  type Operation = { readonly responses?: Record<string, { readonly description: string }> };
  const { paths } = parse(readFileSync('gen/openapi.yaml', 'utf8')) as {
    readonly paths: Record<string, Record<string, Operation>>;
  };
  const codes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { responses = {} }]) => {
      const stated = Object.values(responses).flatMap(
        ({ description }) => description.match(/(?<=`)[A-Z_]{3,}(?=`)/g) ?? [],
      );
      return [`${method.toUpperCase()} ${path}`, [...new Set(stated)].toSorted()] as const;
    }),
  );
  return Object.fromEntries(codes.filter(([, stated]) => stated.length > 0));
}

/** The names of environment variables that the service reads. */
function settings(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(config|logger)\.ts$/.test(path),
  );
  const names = files.flatMap(
    (path) =>
      readFileSync(join('src', path), 'utf8').match(/(?<=')(LAUREL_[A-Z_]+|HOST|PORT|DATABASE_URL)(?=')/g) ?? [],
  );
  const oidc = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'REDIRECT_URI'].map((name) => `LAUREL_OIDC_${name}`);
  return [...new Set([...names, ...oidc])].toSorted();
}
