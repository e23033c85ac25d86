import { randomUUID } from 'node:crypto';
import { accountIdOf } from '../growth/accounts.ts';
import type { RequestSource } from '../support/load-protocol.ts';
import { ACCOUNTS, campaignOf, chestIdOf, ownerOf } from './numbers.ts';

/** The choice of the row to buy, claim or open. */
export type Choice =
  /** A random row for a random account. */
  | { readonly kind: 'any'; readonly ids: readonly string[] }
  /** Chests in the order of their numbers, each once. */
  | { readonly kind: 'chests' }
  /** Claims in the order of their numbers, each once. */
  | { readonly kind: 'claims'; readonly campaignIds: readonly string[] };

/** The options of the requests. */
export type ShopRequestOptions = {
  readonly apiKey: string;
  /** The path, with `{id}` for the chosen row. */
  readonly path: string;
  readonly choice: Choice;
};

/** Calls, each with a different operation id. */
const shopRequests: RequestSource<ShopRequestOptions> = ({ apiKey, path, choice }) => {
  const [before = '', after = ''] = path.split('{id}');
  const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json`;
  const next = chooser(choice, 1);
  return () => {
    const { id, accountId } = next();
    const body = `{"accountId":"${accountId}","operationId":"${randomUUID()}"}`;
    return `POST ${before}${id}${after} HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
};

export default shopRequests;

/** Returns the next row and account on each call. @param first the first number, for work in the order of numbers */
export function chooser(choice: Choice, first: number): () => { readonly id: string; readonly accountId: string } {
  let number = first - 1;
  switch (choice.kind) {
    case 'any':
      return () => ({ id: choice.ids[below(choice.ids.length)]!, accountId: accountIdOf(below(ACCOUNTS)) });
    case 'chests':
      return () => ({ id: chestIdOf('service', (number += 1)), accountId: ownerOf(number) });
    case 'claims':
      return () => ({ id: choice.campaignIds[campaignOf((number += 1))]!, accountId: ownerOf(number) });
  }
}

function below(count: number): number {
  return Math.floor(Math.random() * count);
}
