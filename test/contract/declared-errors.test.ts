// Errors are declared: the codes in one enum, and those of an operation beside its RPC. test/support/declared-errors.ts compares all
// answers of the tests with that.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getOption } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { about, ErrorCodeSchema, ErrorTraits_Scope } from '../../gen/laurel/errors/v1/errors_pb.ts';
import { declaredCodes, errorKinds } from '../../src/kernel/errors/error-codes.ts';
import { assertDeclared, operations, undeclared } from '../support/declared-errors.ts';

const root = join(import.meta.dirname, '../..');
const nameOf = ({ parent, name }: (typeof operations)[number]) => `${parent.typeName}/${name}`;
const scopeOf = (code: string) =>
  getOption(ErrorCodeSchema.values.find(({ name }) => name === code) ?? expect.unreachable(code), about).scope;

test('every operation that the protos have is looked at here', () => {
  const sources = globSync('proto/laurel/**/*.proto', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  expect(operations).toHaveLength(sources.join('\n').match(/^ {2}rpc /gm)?.length ?? 0);
});

test('every operation declares its errors, each once, and at least that of a malformed request', () => {
  for (const method of operations) {
    const codes = declaredCodes(method);
    expect(codes, nameOf(method)).toContain('BAD_REQUEST');
    // Batches have some both for the call and for its items.
    if (!/TriggerBatch$|^BackfillTriggers$/.test(method.name))
      expect(codes, nameOf(method)).toEqual([...new Set(codes)]);
  }
});

test('every code is declared by an operation, unless any call or none may be answered with it', () => {
  const declared = new Set(operations.flatMap(declaredCodes));
  const lone = Object.keys(errorKinds).filter(
    (code) => scopeOf(code) === ErrorTraits_Scope.SCOPE_UNSPECIFIED && !declared.has(code as never),
  );
  expect(lone).toEqual([]);
  expect([...declared].filter((code) => scopeOf(code) === ErrorTraits_Scope.NO_CALL)).toEqual([]);
});

test('no comment of a proto lists errors in prose', () => {
  const prose = globSync('proto/laurel/**/*.proto', { cwd: root }).filter((path) =>
    /^\s*\/\/ Errors:/m.test(readFileSync(join(root, path), 'utf8')),
  );
  expect(prose).toEqual([]);
});

test.each(globSync('{docs,docs/decisions}/*.md', { cwd: root }))('%s names only codes that exist', (page) => {
  const mentions = readFileSync(join(root, page), 'utf8').matchAll(/\b[45]\d\d[: ]+`([A-Z][A-Z_]{2,})`/g);
  expect([...mentions].map(([, code = '']) => code).filter((code) => !(code in errorKinds))).toEqual([]);
});

test('an answer that its operation does not declare fails the test, which says where to declare it', () => {
  const line = (route: string, code: string) =>
    JSON.stringify({ level: 30, route, status: 409, code, msg: 'answered' });
  const getAccount = 'laurel.v1.AccountService/GetAccount';
  expect(() =>
    assertDeclared([line(getAccount, 'ACCOUNT_NOT_FOUND'), line(getAccount, 'DATABASE_BUSY')]),
  ).not.toThrow();
  expect(() => assertDeclared([line(getAccount, 'OUT_OF_STOCK')])).toThrow(
    /AccountService\/GetAccount answered OUT_OF_STOCK, which it does not declare.*option \(laurel\.errors\.v1\.errors\)/,
  );
  expect(undeclared('laurel.v1.AccountService/NewOperation', 'BAD_REQUEST')).toMatch(/does not declare/);
});
