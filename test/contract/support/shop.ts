import { expect } from 'vitest';
import type { TestService } from '../../support/service.ts';

/** The options of a test's publication; each has a default. */
export type PublicationOptions = {
  readonly name?: string;
  readonly stock?: number;
  readonly pointsCost?: number;
  readonly agreementId?: string;
  /** Codes of its product; without them the product has no limit. */
  readonly codes?: readonly string[];
  readonly publish?: boolean;
};

/** Creates a publication of a new product through the administration API, published unless asked otherwise; returns its id. */
export async function newPublication(service: TestService, options: PublicationOptions = {}): Promise<string> {
  const { codes, publish = true, name = 'Mug', stock = 10, ...more } = options;
  const product = await created(service, '/admin/products', { name, stockMode: codes ? 'CODES' : 'UNLIMITED' });
  if (codes) await created(service, `/admin/products/${product}/codes`, { codes });
  const id = await created(service, '/admin/publications', { name, stock, productId: product, ...more });
  if (publish) await created(service, `/marketplace/publications/${id}/publish`, undefined);
  return id;
}

/** An agreement with this number of units; returns its id. */
export function newAgreement(service: TestService, stock: number, name = 'Supplier'): Promise<string> {
  return created(service, '/admin/agreements', { name, stock });
}

async function created(service: TestService, path: string, body: unknown): Promise<string> {
  const answer = await service.rest('POST', path, body);
  expect(answer, `POST ${path}`).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
  return answer.body.id;
}
