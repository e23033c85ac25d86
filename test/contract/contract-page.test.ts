import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { routes } from '../../gen/routes.ts';
import { openapi } from './support/openapi.ts';

/** One numbered row of the page. */
type Row = { readonly number: string; readonly proofs: readonly string[] };

const page = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8');
const [interfacePart = '', beyond = ''] = page.split('## 12 ');
const rows = rowsOf(page);

/** Operations in the text, such as `GET /accounts/{id}`. */
function operationsIn(text: string): string[] {
  return [
    ...new Set([...text.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`]+)`/g)].map(([, operation]) => operation!)),
  ];
}

/** Variables may have another spelling in the protos. */
const routed = new Set(
  routes.map(
    ({ httpMethod, path }) => `${httpMethod} ${path.replaceAll(/_([a-z])/g, (_all, letter) => letter.toUpperCase())}`,
  ),
);
const described = new Set(
  Object.entries(openapi.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  ),
);

/** Operations that are marked so in their description. */
const markedAsBeyond = Object.entries(openapi.paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([, { description = '' }]) =>
      description.replaceAll(/\s+/g, ' ').includes('Not part of the published contract'),
    )
    .map(([method]) => `${method.toUpperCase()} ${path}`),
);

describe('the contract page', () => {
  test('every documented path is a route and is described', () => {
    const documented = operationsIn(interfacePart);
    expect(documented.filter((operation) => !routed.has(operation))).toEqual([]);
    expect(documented.filter((operation) => !described.has(operation))).toEqual([]);
    // The published interface: 6 of accounts, 2 of audiences, 3 of events, 4 reads, 10 of points and the marketplace, 8 of webhooks; and
    // the claim, which it mentions without a path.
    expect(documented).toHaveLength(34);
  });

  test('every route for integrators is documented, or named as going beyond', () => {
    const own = [...routed].filter((operation) => !operation.includes(' /admin/'));
    const named = new Set([...operationsIn(interfacePart), ...operationsIn(beyond), ...markedAsBeyond]);
    expect(own.filter((operation) => !named.has(operation))).toEqual([]);
  });

  test('every path that is described is a route, and the other way round', () => {
    expect(described).toEqual(routed);
  });

  test('rows are numbered without a gap', () => {
    const bySection = Map.groupBy(rows, ({ number }) => number.split('.')[0]);
    for (const [section, own] of bySection) {
      expect(own.map(({ number }) => number)).toEqual(own.map((_, index) => `${section}.${index + 1}`));
    }
    expect(rows.length).toBeGreaterThan(140);
  });

  test.each(rows.map((row) => [row.number, row] as const))('row %s names tests that exist', (_number, { proofs }) => {
    expect(proofs.length).toBeGreaterThan(0);
    expect(proofs.filter((proof) => !isTest(proof))).toEqual([]);
  });
});

function rowsOf(markdown: string): Row[] {
  return markdown.split('\n').flatMap((line) => {
    const cells = line.split(' | ').map((cell) => cell.replaceAll(/^\| | *\|$/g, '').trim());
    const [number = '', , , proofs = ''] = cells;
    return /^\d+\.\d+$/.test(number) ? [{ number, proofs: proofs.split('<br>') }] : [];
  });
}

/** Whether `file` title names a running test, or a case of a table of tests. */
function isTest(proof: string): boolean {
  const [, file, title] = /^`([\w/-]+)` (.+)$/.exec(proof) ?? [];
  if (file === undefined || title === undefined) return false;
  const source = readFileSync(new URL(`../${file}.test.ts`, import.meta.url), 'utf8');
  // The source escapes each backslash.
  const literal = RegExp.escape(title.replaceAll('\\', '\\\\'));
  // After `test(`, after the table of a `test.each`, or as the first cell of a row of such a table.
  return new RegExp(`(?:\\btest\\(|\\)\\(|^ {2,4}\\[)\\s*(['"\`])${literal}\\1`, 'm').test(source);
}
