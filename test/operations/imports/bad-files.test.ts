import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shortOrLong } from '../../faults/bounds.ts';
import { startService, type TestService } from '../../support/service.ts';
import { accounts, download, load, refusals } from './files.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('a file as programs write it', () => {
  test.each([
    ['a byte order mark, CRLF and semicolons', '\uFEFFexternalId;name\r\nk1-1;Ada\r\nk1-2;"Bob; Jr."\r\n', 'k1'],
    ['tabs and no line end at the end', 'externalId\tname\nk2-1\tAda\nk2-2\tBob; Jr.', 'k2'],
    ['another order, other cases, further columns', 'Shoe Size,NAME,External_ID\n43,Ada,k3-1\n,Bob; Jr.,k3-2\n', 'k3'],
    ['line ends of old Macs', 'externalId,name\rk4-1,Ada\rk4-2,Bob; Jr.\r', 'k4'],
    ['mixed line ends and empty lines', '\n\nexternalId,name\r\n\r\nk5-1,Ada\n\n,\nk5-2,Bob; Jr.\r\n\n', 'k5'],
  ])('%s', async (_what, file, key) => {
    expect(await load(service, file)).toMatchObject({ status: 'DONE', rowsTotal: 2, rowsCreated: 2, rowsRefused: 0 });
    const stored = await accounts(service);
    expect([stored.get(`${key}-1`)?.name, stored.get(`${key}-2`)?.name]).toEqual(['Ada', 'Bob; Jr.']);
  });

  test('quoted line ends stay in their cell, and lines are counted as an editor does', async () => {
    const file = 'externalId,name\r\nq-1,"two\r\nlines"\r\n,"and\nmore"\r\nq-2,"say ""hi"""\r\n,x\r\n';
    const { id, ...report } = await load(service, file);
    expect(report).toMatchObject({ status: 'DONE', rowsCreated: 2, rowsRefused: 2 });
    expect((await refusals(service, id)).map(([line]) => line)).toEqual(['4', '7']);
    const stored = await accounts(service);
    expect([stored.get('q-1')?.name, stored.get('q-2')?.name]).toEqual(['two\r\nlines', 'say "hi"']);
  });

  test('a formula is stored as it is, and an apostrophe that protects one is taken off', async () => {
    const file = `externalId,name\nf-1,=1+2\nf-2,'=1+2\nf-3,''=1+2\nf-4,'quoted'\nf-5,"@SUM(A1)"\n`;
    expect(await load(service, file)).toMatchObject({ rowsCreated: 5 });
    const stored = await accounts(service);
    const names = [1, 2, 3, 4, 5].map((number) => stored.get(`f-${number}`)?.name);
    expect(names).toEqual(['=1+2', '=1+2', "'=1+2", "'quoted'", '@SUM(A1)']);
  });
});

describe('a row at fault is refused, and the others are loaded', () => {
  test.each([
    ['invalid UTF-8', Buffer.from([0xe9, 0x2c, 0x78]), 'UTF-8'],
    ['a cell too few', Buffer.from('x'), '1 cells, the header has 2'],
    ['a cell too many', Buffer.from('x,y,z'), '3 cells, the header has 2'],
    ['text behind a closing quote', Buffer.from('x,"a"b'), 'closing quote'],
    ['a cell of 5 MB', Buffer.from(`x,"${'y'.repeat(5_000_000)}"`), '5000000 characters'],
  ])('%s', async (what, row, reason) => {
    const key = what.replaceAll(' ', '-');
    const file = Buffer.concat([
      Buffer.from(`externalId,name\n${key}-1,Ada\n`),
      row,
      Buffer.from(`\n${key}-2,"Bob"\n`),
    ]);
    const { id, ...report } = await load(service, file);
    expect(report).toMatchObject({ status: 'DONE', rowsCreated: 2, rowsRefused: 1, rowsRead: 3 });
    expect(await refusals(service, id)).toEqual([['3', expect.any(String), expect.stringContaining(reason)]]);
    expect([...(await accounts(service)).keys()]).toEqual(expect.arrayContaining([`${key}-1`, `${key}-2`]));
  });

  test('a quote in the middle of a cell is text', async () => {
    expect(await load(service, 'externalId,name\nm-1,5" screen\n')).toMatchObject({ rowsCreated: 1 });
    expect((await accounts(service)).get('m-1')?.name).toBe('5" screen');
  });
});

/** Takes ten seconds of the processor. */
const LONG_ROW = shortOrLong<ReadonlyArray<[string, string, string]>>(
  [],
  [['a row of 17 MB', `externalId,name\nn-6,Ada\nn-7,"${'x'.repeat(17_825_792)}"\n`, 'longer than 16 MiB']],
);

describe('a file at fault fails before anything of it is stored', () => {
  test.each([
    ['an empty one', '', 'empty'],
    ['one without the required column', 'name,email\nAda,ada@example.com\n', 'The column externalId is missing'],
    ['one with a column twice', 'externalId,name,NAME\nn-1,Ada,Bob\n', 'name is there twice'],
    ['UTF-16', Buffer.from('\uFEFFexternalId,name\nn-2,Ada\n', 'utf16le'), 'UTF-16'],
    ['a quote that is never closed', 'externalId,name\nn-3,Ada\nn-4,"Bob\nn-5,Eve\n', 'begins in line 3'],
    ['a header without end', `externalId,${'x,'.repeat(40_000)}`, 'longer than 64 KiB'],
    ['a quote in the header that is never closed', 'externalId,"name\nn-8,Ada\n', 'first line'],
    ...LONG_ROW,
  ])('%s', async (_what, file, error) => {
    const report = await load(service, file);
    expect(report).toMatchObject({ status: 'FAILED', rowsRead: 0, rowsCreated: 0 });
    expect(report.error).toContain(error);
    expect([...(await accounts(service)).keys()].filter((key) => key.startsWith('n-'))).toEqual([]);
  });

  test('a file of 100,001 repeated externalIds is the wrong one', async () => {
    const ids = Array.from({ length: 100_001 }, (_, index) => `n-${index}`);
    const report = await load(service, `externalId\n${[...ids, ...ids].join('\n')}\n`);
    expect(report).toMatchObject({ status: 'FAILED', rowsRead: 0, error: expect.stringContaining('100000') });
  });
});

test('the report of refused rows protects who opens it from formulas', async () => {
  const { id } = await load(service, `externalId,timeZone\n=HYPERLINK(1),Nowhere\n`);
  expect(await download(service, `/admin/imports/${id}/refusals.csv`)).toContain(`\r\n2,'=HYPERLINK(1),`);
});

test('what was staged of a file is gone when the import has ended', async () => {
  await load(service, 'externalId\ng-1\n');
  await expect.poll(() => service.db.systemUnitOfWork((uow) => uow.query('select from csv_import_chunk'))).toEqual([]);
});
