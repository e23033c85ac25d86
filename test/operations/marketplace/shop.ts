import { expect } from 'vitest';
import type { RestAnswer, TestService } from '../../support/service.ts';

/** What a publication is made of; everything has a value that makes the smallest one that sells. */
export type OfferOptions = {
  readonly stock?: number;
  readonly agreementId?: string;
  readonly pointsCost?: number;
  readonly name?: string;
  /** Of another product; a new one with {@link SPARE} codes more than the publication has units by default. */
  readonly productId?: string;
  readonly publish?: boolean;
  /** The tenant's administrator token; the service's first tenant by default. */
  readonly adminToken?: string;
};

/** Codes of a product that are free, so that its publication can have more units. */
const SPARE = 20;

let offers = 0;

/** A publication set up as an operator would, and published; gives its id. */
export async function newOffer(service: TestService, options: OfferOptions = {}): Promise<string> {
  const { stock = 10, productId, publish = true, adminToken, ...rest } = options;
  offers += 1;
  const publication = await post(
    service,
    '/admin/publications',
    {
      name: `Offer ${offers}`,
      stock,
      ...rest,
      productId: productId ?? (await newCoupon(service, stock + SPARE, adminToken)),
    },
    adminToken,
  );
  if (publish) await post(service, `/marketplace/publications/${publication.id}/publish`, undefined, adminToken);
  return publication.id;
}

/** A product with that many codes; gives its id. */
export async function newCoupon(service: TestService, codes: number, adminToken?: string): Promise<string> {
  const product = await post(service, '/admin/products', { name: 'Coupon', stockMode: 'CODES' }, adminToken);
  const list = Array.from({ length: codes }, (_, index) => `CODE-${index + 1}`);
  if (codes > 0) await post(service, `/admin/products/${product.id}/codes`, { codes: list }, adminToken);
  return product.id;
}

/** An agreement with that many units; gives its id. */
export async function newAgreement(service: TestService, stock: number): Promise<string> {
  const agreement = await post(service, '/admin/agreements', { name: `Agreement of ${stock}`, stock });
  return agreement.id;
}

/** Reserves, gives back and buys as the account with that external id. */
export function customer(service: TestService, accountId: string) {
  const own = { accountId, idType: 'EXTERNAL' };
  const call = (path: string, body: object) =>
    service.rest('POST', `/marketplace/publications/${path}`, { ...own, ...body });
  return {
    freeze: (publicationId: string, more: object = {}) => call('freeze', { publicationId, ...more }),
    unfreeze: (publicationId: string, more: object = {}) => call('unfreeze', { publicationId, ...more }),
    redeem: (publicationId: string, more: object = {}) => call(`redeem/${publicationId}`, more),
  };
}

/** An account, so that redeem, which creates none, knows it. */
export async function newCustomer(service: TestService, accountId: string) {
  await post(service, '/accounts/resolve', { externalId: accountId }, service.apiKey);
  return customer(service, accountId);
}

/** A publication's state as an integrator reads it. */
export async function stateOf(service: TestService, publicationId: string) {
  return (await service.rest('GET', `/marketplace/publications/${publicationId}`)).body;
}

/** The answer of a POST that must succeed. */
export async function post(
  service: TestService,
  path: string,
  body?: object,
  token?: string,
): Promise<RestAnswer['body']> {
  const answer = await service.rest('POST', path, body, token);
  expect(answer, `POST ${path}`).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
  return answer.body;
}
