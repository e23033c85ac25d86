import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import { closeExpiredReservations } from '../../../src/marketplace/reservations/close-expired-reservations.ts';
import { startService, type TestService } from '../../support/service.ts';
import { customer, newAgreement, newCustomer, newOffer, post, stateOf } from './shop.ts';

let service: TestService;
let now = new Date();

beforeAll(async () => {
  service = await startService({ clock: () => now });
});
afterAll(() => service.close());

const pass = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000));
const reservations = async (query: string) => (await service.rest('GET', `/marketplace/reservations?${query}`)).body;
const refusal = (status: number, code: string) => ({ status, body: { statusCode: status, code } });

describe('freeze', () => {
  test('holds units back, creates the unknown account, and says until when', async () => {
    const id = await newOffer(service);
    const answer = await customer(service, 'newcomer').freeze(id, { quantity: 3 });
    const { body: account } = await service.rest('GET', '/accounts/newcomer?idType=EXTERNAL');
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      publicationId: id,
      accountId: account.id,
      quantity: 3,
      status: 'ACTIVE',
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + 900_000).toISOString(),
      pointsCost: 0,
    });
    expect(await stateOf(service, id)).toMatchObject({
      stock: 10,
      availableStock: 7,
      status: 'PUBLISHED_ON_MARKETPLACE',
    });
  });

  test('that reaches 0 does not pause, and the next is out of stock', async () => {
    const id = await newOffer(service, { stock: 2 });
    await customer(service, 'quick').freeze(id, { quantity: 2, ttlSeconds: 60 });
    expect(await stateOf(service, id)).toMatchObject({ availableStock: 0, status: 'PUBLISHED_ON_MARKETPLACE' });
    expect(await customer(service, 'slow').freeze(id)).toMatchObject(refusal(409, 'OUT_OF_STOCK'));
    expect(await service.rest('GET', '/accounts/slow?idType=EXTERNAL')).toMatchObject({ status: 404 });
  });

  test('needs units in the agreement as well', async () => {
    const agreementId = await newAgreement(service, 3);
    const [a, b] = [await newOffer(service, { agreementId }), await newOffer(service, { agreementId })];
    const ada = customer(service, 'ada');
    expect((await ada.freeze(a, { quantity: 2 })).status).toBe(200);
    expect(await ada.freeze(b, { quantity: 2 })).toMatchObject(refusal(409, 'OUT_OF_STOCK'));
    expect((await ada.freeze(b)).status).toBe(200);
    expect(await stateOf(service, b)).toMatchObject({ stock: 10, availableStock: 0 });
  });

  test('takes effect once for an operation id', async () => {
    const id = await newOffer(service);
    const ada = customer(service, 'ada');
    const operationId = randomUUID();
    const first = await ada.freeze(id, { operationId });
    const again = await ada.freeze(id, { operationId });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await stateOf(service, id)).availableStock).toBe(9);
    expect(await ada.freeze(id, { operationId, quantity: 2 })).toMatchObject(refusal(400, 'OPERATION_ID_REUSED'));
    await ada.freeze(id);
    expect((await stateOf(service, id)).availableStock).toBe(8);
  });

  test('of a draft is refused', async () => {
    const id = await newOffer(service, { publish: false });
    expect(await customer(service, 'ada').freeze(id)).toMatchObject(refusal(409, 'PUBLICATION_NOT_PUBLISHED'));
  });

  test.each<[string, object]>([
    ['0 units', { quantity: 0 }],
    ['a negative number of units', { quantity: -1 }],
    ['half a unit', { quantity: 1.5 }],
    ['1001 units', { quantity: 1001 }],
    ['no time', { ttlSeconds: 0 }],
    ['more than a day', { ttlSeconds: 86_401 }],
    ['an empty account id', { accountId: '' }],
    ['a malformed internal id', { accountId: 'ada', idType: 'INTERNAL' }],
    ['a malformed publication id', { publicationId: 'coffee' }],
    ['an operation id of 129 characters', { operationId: 'x'.repeat(129) }],
  ])('for %s is a 400', async (_, more) => {
    const id = await newOffer(service);
    expect(await customer(service, 'careless').freeze(id, more)).toMatchObject(refusal(400, 'BAD_REQUEST'));
    expect((await stateOf(service, id)).availableStock).toBe(10);
  });

  test('for an unknown internal account or publication is a 404', async () => {
    const id = await newOffer(service);
    const ada = customer(service, 'ada');
    const unknown = { accountId: randomUUID(), idType: 'INTERNAL' };
    expect(await ada.freeze(id, unknown)).toMatchObject(refusal(404, 'ACCOUNT_NOT_FOUND'));
    expect(await ada.freeze(randomUUID())).toMatchObject(refusal(404, 'PUBLICATION_NOT_FOUND'));
  });
});

describe('unfreeze', () => {
  test('gives everything of the account back, and a repeat nothing', async () => {
    const id = await newOffer(service);
    const [ada, ben] = [customer(service, 'ada'), customer(service, 'ben')];
    for (const quantity of [1, 2]) await ada.freeze(id, { quantity });
    await ben.freeze(id, { quantity: 4 });
    expect(await ada.unfreeze(id)).toMatchObject({ status: 200, body: { releasedQuantity: 3 } });
    expect(await ada.unfreeze(id)).toMatchObject({ status: 200, body: { releasedQuantity: 0 } });
    expect((await stateOf(service, id)).availableStock).toBe(6);
  });

  test('gives one reservation back where one is named, also in upper case, and only an own one', async () => {
    const id = await newOffer(service);
    const [ada, ben] = [customer(service, 'ada'), customer(service, 'ben')];
    const { body: one } = await ada.freeze(id, { quantity: 1 });
    await ada.freeze(id, { quantity: 2 });
    expect((await ben.unfreeze(id, { reservationId: one.id })).body).toEqual({ releasedQuantity: 0 });
    expect((await ada.unfreeze(id, { reservationId: one.id.toUpperCase() })).body).toEqual({ releasedQuantity: 1 });
    expect((await stateOf(service, id)).availableStock).toBe(8);
  });

  test('gives agreement stock back too, of a paused publication as well', async () => {
    const agreementId = await newAgreement(service, 2);
    const id = await newOffer(service, { agreementId });
    const ada = customer(service, 'ada');
    await ada.freeze(id, { quantity: 2 });
    await post(service, `/marketplace/publications/${id}/unpublish`);
    expect((await ada.unfreeze(id)).body).toEqual({ releasedQuantity: 2 });
    expect((await service.rest('GET', `/admin/agreements/${agreementId}`)).body).toMatchObject({ availableStock: 2 });
  });

  test('does nothing, and creates nothing, for an unknown account, publication or reservation', async () => {
    const id = await newOffer(service);
    const nobody = customer(service, 'nobody at all');
    const nothing = { status: 200, body: { releasedQuantity: 0 } };
    expect(await nobody.unfreeze(id)).toMatchObject(nothing);
    expect(await service.rest('GET', '/accounts/nobody%20at%20all?idType=EXTERNAL')).toMatchObject({ status: 404 });
    expect(await nobody.unfreeze(id, { accountId: randomUUID(), idType: 'INTERNAL' })).toMatchObject(nothing);
    const ada = customer(service, 'ada');
    expect(await ada.unfreeze(randomUUID())).toMatchObject(nothing);
    expect(await ada.unfreeze(id, { reservationId: randomUUID() })).toMatchObject(nothing);
  });

  test('refuses what is malformed', async () => {
    const ada = customer(service, 'ada');
    const id = await newOffer(service);
    expect(await ada.unfreeze('coffee')).toMatchObject(refusal(400, 'BAD_REQUEST'));
    expect(await ada.unfreeze(id, { idType: 'INTERNAL' })).toMatchObject(refusal(400, 'BAD_REQUEST'));
    expect(await ada.unfreeze(id, { reservationId: 'x' })).toMatchObject(refusal(400, 'BAD_REQUEST'));
  });
});

describe('a reservation whose time is up', () => {
  test('gives its units back at that moment, in every read and to every sale, with no sweeper', async () => {
    const agreementId = await newAgreement(service, 4);
    const [a, b] = [await newOffer(service, { agreementId }), await newOffer(service, { agreementId })];
    const ada = await newCustomer(service, 'ada');
    await ada.freeze(a, { quantity: 4, ttlSeconds: 60 });
    pass(59);
    expect(await ada.freeze(b)).toMatchObject(refusal(409, 'OUT_OF_STOCK'));
    pass(1);
    expect(await stateOf(service, a)).toMatchObject({ stock: 10, availableStock: 4 });
    expect((await service.rest('GET', `/admin/agreements/${agreementId}`)).body).toMatchObject({ availableStock: 4 });
    expect((await ada.unfreeze(a)).body).toEqual({ releasedQuantity: 0 });
    expect((await ada.redeem(b, { quantity: 4 })).status).toBe(200);
  });

  test('is EXPIRED in every list, closed or not', async () => {
    const id = await newOffer(service);
    const { body } = await customer(service, 'ada').freeze(id, { ttlSeconds: 1 });
    const of = `publicationId=${id}`;
    expect(await reservations(of)).toEqual([body]);
    pass(1);
    const expired = [{ ...body, status: 'EXPIRED' }];
    expect(await reservations(of)).toEqual([]);
    expect(await reservations(`${of}&status=EXPIRED`)).toEqual(expired);
    expect(await closeExpiredReservations(service.db, service.clientId, now)).toBeGreaterThan(0);
    expect(await reservations(`${of}&status=EXPIRED`)).toEqual(expired);
    expect(await closeExpiredReservations(service.db, service.clientId, now)).toBe(0);
  });

  test('is closed by housekeeping in batches, and nothing else is', async () => {
    const agreementId = await newAgreement(service, 5_000);
    const ids = [
      await newOffer(service, { agreementId, stock: 3_000 }),
      await newOffer(service, { agreementId, stock: 3_000 }),
      await newOffer(service, { stock: 3_000 }),
    ];
    await closeExpiredReservations(service.db, service.clientId, now);
    const ada = await newCustomer(service, 'ada');
    for (const id of ids) await ada.freeze(id, { quantity: 3 });
    for (const id of ids) await freezeMany(id, 700);
    pass(1);
    expect(await closeExpiredReservations(service.db, service.clientId, now)).toBe(2_100);
    expect(await Promise.all(ids.map((id) => stateOf(service, id)))).toMatchObject(
      ids.map(() => ({ availableStock: 2_997 })),
    );
    expect(await findDifferences(service.db)).toEqual([]);
  });

  /** `count` reservations of one unit each, for a second. */
  function freezeMany(publicationId: string, count: number): Promise<unknown> {
    return service.db.unitOfWork(service.clientId, async (uow) => {
      await uow.query(
        `with held as (
           update publication set reserved = reserved + $3::int where client_id = $1 and id = $2 returning agreement_id
         ), shared as (
           update agreement a set reserved = reserved + $3::int from held
            where a.client_id = $1 and a.id = held.agreement_id
         )
         insert into reservation (client_id, id, publication_id, agreement_id, account_id, quantity, expires_at)
         select $1, gen_random_uuid(), $2, agreement_id, gen_random_uuid(), 1, $4::timestamptz
           from held, generate_series(1, $3::int)`,
        [service.clientId, publicationId, count, new Date(now.getTime() + 1000)],
      );
    });
  }
});

describe('reservations', () => {
  test('are listed latest first, by account, publication and state', async () => {
    const [a, b] = [await newOffer(service), await newOffer(service)];
    const [cleo, dan] = [await newCustomer(service, 'cleo'), await newCustomer(service, 'dan')];
    const { body: first } = await cleo.freeze(a);
    pass(1);
    const { body: second } = await cleo.freeze(b);
    pass(1);
    const { body: third } = await dan.freeze(a);
    const cleos = 'accountId=cleo&idType=EXTERNAL';
    expect(await reservations(cleos)).toEqual([second, first]);
    expect(await reservations(`accountId=${first.accountId}`)).toEqual([second, first]);
    expect(await reservations(`publicationId=${a}`)).toEqual([third, first]);
    expect(await reservations(`${cleos}&publicationId=${a}&status=ACTIVE`)).toEqual([first]);
    await cleo.unfreeze(a);
    await cleo.redeem(b);
    expect(await reservations(cleos)).toEqual([]);
    expect(await reservations(`${cleos}&status=RELEASED`)).toMatchObject([{ id: first.id, status: 'RELEASED' }]);
    expect(await reservations(`${cleos}&status=REDEEMED`)).toMatchObject([{ id: second.id, status: 'REDEEMED' }]);
  });

  test('of an unknown external account are none, of an unknown internal one a 404', async () => {
    expect(await reservations('accountId=nobody%20here&idType=EXTERNAL')).toEqual([]);
    expect(await service.rest('GET', '/accounts/nobody%20here?idType=EXTERNAL')).toMatchObject({ status: 404 });
    expect(await reservations(`accountId=${randomUUID()}`)).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
  });

  test.each(['accountId=x', 'publicationId=x', 'status=active', 'status=OPEN', 'colour=red'])(
    '%s is a 400',
    async (query) => {
      expect(await reservations(query)).toMatchObject({ statusCode: 400, code: 'BAD_REQUEST' });
    },
  );

  test('of another client are out of reach: nothing of its ids is known', async () => {
    const id = await newOffer(service);
    const { body } = await customer(service, 'ada').freeze(id);
    const stranger = await service.newTenant();
    const as = (method: string, path: string, more?: object) => service.rest(method, path, more, stranger.apiKey);
    expect((await as('GET', '/marketplace/reservations')).body).toEqual([]);
    const call = { publicationId: id, accountId: 'ada', idType: 'EXTERNAL' };
    const freeze = await as('POST', '/marketplace/publications/freeze', call);
    expect(freeze).toMatchObject(refusal(404, 'PUBLICATION_NOT_FOUND'));
    const unfreeze = await as('POST', '/marketplace/publications/unfreeze', { ...call, reservationId: body.id });
    expect(unfreeze).toMatchObject({ status: 200, body: { releasedQuantity: 0 } });
    expect(await reservations(`publicationId=${id}`)).toHaveLength(1);
  });
});
