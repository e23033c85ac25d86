import { randomUUID } from 'node:crypto';
import type { RequestSource } from '../support/load-protocol.ts';
import { externalIdOf } from '../worlds/requests.ts';

/** The options of the requests. */
export type PurchaseOptions = {
  readonly apiKey: string;
  readonly productId: string;
  readonly accountCount: number;
};

/** Purchases of one product for points by random accounts, each with a different operation id. */
const purchaseRequests: RequestSource<PurchaseOptions> = ({ apiKey, productId, accountCount }) => {
  const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json`;
  return () => {
    const accountId = externalIdOf(Math.floor(Math.random() * accountCount));
    const body = `{"accountId":"${accountId}","idType":"EXTERNAL","operationId":"${randomUUID()}"}`;
    return `POST /loyalty/products/${productId}/redeem HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
};

export default purchaseRequests;
