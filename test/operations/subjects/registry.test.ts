import { expect, test } from 'vitest';
import { entities } from '../../../src/app/entities.ts';
import { partsOfAccount, TABLES_WITHOUT_ACCOUNTS } from '../../../src/app/parts-of-account.ts';

const tables = entities.map(({ meta, properties }) => ({ name: meta.tableName, properties: Object.keys(properties) }));
const inParts = new Set(partsOfAccount.map(({ table }) => table));

test('every table is exported and erased with an account, or says why it has nothing of one', () => {
  const undecided = tables.filter(({ name }) => !inParts.has(name) && !TABLES_WITHOUT_ACCOUNTS[name]);
  expect(undecided.map(({ name }) => name)).toEqual([]);
});

test('no table that names an account is said to have nothing of one', () => {
  const naming = tables.filter(({ properties }) =>
    properties.some((each) => /^(account(Ids?)?$|externalId)/.test(each)),
  );
  expect(naming.length).toBeGreaterThan(10);
  expect(naming.filter(({ name }) => !inParts.has(name)).map(({ name }) => name)).toEqual([]);
});

test('what is said of tables is said of tables that are there, once', () => {
  const names = new Set(tables.map(({ name }) => name));
  const listed = [...partsOfAccount.map(({ table }) => table), ...Object.keys(TABLES_WITHOUT_ACCOUNTS)];
  expect(listed.filter((name) => !names.has(name))).toEqual([]);
  expect(listed.length).toBe(new Set(listed).size);
});

test('every part that an erasure leaves says why, and parts have names of their own', () => {
  for (const { erasure } of partsOfAccount) if (erasure.kind === 'stays') expect(erasure.why).toMatch(/\w{3,}.*\.$/);
  const names = partsOfAccount.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
