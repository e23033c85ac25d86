import { expect } from 'vitest';
import type { RestAnswer, TestService } from '../../support/service.ts';

/** The options of a publication; the defaults make the smallest one that sells. */
export type OfferOptions = {
  readonly stock?: number;
  readonly agreementId?: string;
  readonly pointsCost?: number;
  readonly name?: string;
  /** The product; by default a new one with {@link SPARE} more codes than the publication has units. */
  readonly productId?: string;
  readonly publish?: boolean;
  /** The tenant's administrator token; the service's first tenant by default. */
  readonly adminToken?: string;
};

/** Free codes of a product, so that its publication can have more units. */
const SPARE = 20;

let offers = 0;

/** Creates a publication as an operator does, and publishes it; returns its id. */
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

/** A product with this number of codes; returns its id. */
export async function newCoupon(service: TestService, codes: number, adminToken?: string): Promise<string> {
  const product = await post(service, '/admin/products', { name: 'Coupon', stockMode: 'CODES' }, adminToken);
  const list = Array.from({ length: codes }, (_, index) => `CODE-${index + 1}`);
  if (codes > 0) await post(service, `/admin/products/${product.id}/codes`, { codes: list }, adminToken);
  return product.id;
}

/** An agreement with this number of units; returns its id. */
export async function newAgreement(service: TestService, stock: number): Promise<string> {
  const agreement = await post(service, '/admin/agreements', { name: `Agreement of ${stock}`, stock });
  return agreement.id;
}

/** Reserves, releases and buys as the account with that external id. */
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

/** Creates an account, because `redeem` does not. */
export async function newCustomer(service: TestService, accountId: string) {
  await post(service, '/accounts/resolve', { externalId: accountId }, service.apiKey);
  return customer(service, accountId);
}

/** A publication's state, as an integrator reads it. */
export async function stateOf(service: TestService, publicationId: string) {
  return (await service.rest('GET', `/marketplace/publications/${publicationId}`)).body;
}

/** The answer of a POST, which must succeed. */
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
