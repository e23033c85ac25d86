import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedService, type TestService } from '../../support/service.ts';
import { download, load } from '../imports/files.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.close());

const NO_ADDRESSES = [
  'ada',
  'ada@',
  '@example.com',
  'ada@lovelace@example.com',
  'ada lovelace@example.com',
  ' ada@example.com',
  'ada@example.com ',
  'ada@exa\u00a0mple.com',
  'ada@example.com\n',
  'ada\u0007@example.com',
  'ada@@example.com',
];
const ADDRESSES = ['ada@example.com', 'a@b', "o'hara+tag@sub.example.com", 'ådå@exämple.com', '"a.b"@example.com'];

/** An account with an address from before the rule existed. */
async function oldAccount(externalId: string, email: string): Promise<string> {
  const { body } = await service.rest('POST', '/accounts', { externalId });
  await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query('update account set email = $3 where client_id = $1 and id = $2', [uow.clientId, body.id, email]),
  );
  return body.id;
}

describe('a new e-mail address of an account', () => {
  test.each(ADDRESSES)('may be %j', async (email) => {
    expect(await service.rest('POST', '/accounts', { email })).toMatchObject({ status: 201, body: { email } });
  });

  test.each(NO_ADDRESSES)('may not be %j, neither created nor changed', async (email) => {
    const refused = { status: 400, body: { code: 'BAD_REQUEST', message: expect.stringMatching(/^email .*one @/) } };
    expect(await service.rest('POST', '/accounts', { email })).toMatchObject(refused);
    const { body } = await service.rest('POST', '/accounts', { email: 'before@example.com' });
    expect(await service.rest('PATCH', `/accounts/${body.id}`, { email })).toMatchObject(refused);
    expect((await service.rest('GET', `/accounts/${body.id}`)).body.email).toBe('before@example.com');
  });
});

describe('an e-mail address that was stored before', () => {
  test('is read, sent again, left alone and cleared; only another such one is refused', async () => {
    const id = await oldAccount('old', 'ada at home');
    expect((await service.rest('GET', `/accounts/${id}`)).body.email).toBe('ada at home');
    const patch = (body: object) => service.rest('PATCH', `/accounts/${id}`, body);
    expect(await patch({ name: 'Ada' })).toMatchObject({ status: 200, body: { email: 'ada at home', name: 'Ada' } });
    const same = await patch({ email: 'ada at home', name: 'A.' });
    expect(same).toMatchObject({ status: 200, body: { email: 'ada at home', name: 'A.' } });
    expect(await patch({ email: 'ada at work' })).toMatchObject({ status: 400 });
    expect(await patch({ email: null })).toMatchObject({ status: 200 });
    expect(await patch({ email: 'ada at home' })).toMatchObject({ status: 400 });
  });

  test('is exported and loaded again', async () => {
    await oldAccount('exported', 'ada and bob');
    const exported = await download(service, '/admin/exports/accounts.csv');
    const line = exported.split('\r\n').find((each) => each.includes('ada and bob'));
    const file = `${exported.slice(1, exported.indexOf('\r\n'))}\r\n${line}\r\n`;
    expect(await load(service, file)).toMatchObject({ status: 'DONE', rowsRefused: 0, rowsUnchanged: 1 });
  });
});

test('a row of a file with a new address that is none is refused and reported; the others are loaded', async () => {
  const rows = ['externalId,email', 'csv-1,one@example.com', 'csv-2,no address', 'csv-3,three@example.com'];
  const done = await load(service, rows.join('\n'));
  expect(done).toMatchObject({ status: 'DONE', rowsCreated: 2, rowsRefused: 1 });
  const report = await download(service, `/admin/imports/${done.id}/refusals.csv`);
  expect(report).toMatch(/3,csv-2,"?email must have one @/);
  expect((await service.rest('GET', '/accounts/csv-2?idType=EXTERNAL')).status).toBe(404);
});

test.each(NO_ADDRESSES)('a console user may not have %j', async (email) => {
  const answer = await service.rest('POST', '/admin/users', { email, name: 'Ada' });
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('email') } });
});
