import type { ChangeData } from './gen/webhook-bodies.ts';

/** The body of a webhook endpoint. A later version of the service may send further types: ignore them. */
export type WebhookChange = {
  [Type in keyof ChangeData]: {
    /** UUID of the message, the same in each attempt: an id that you know is a repeat. */
    readonly id: string;
    readonly type: Type;
    readonly clientId: string;
    /** RFC 3339 in UTC. */
    readonly occurredAt: string;
    readonly data: ChangeData[Type];
    /** True in test events, which must have no effect. */
    readonly test?: true;
  };
}[keyof ChangeData];

/** The headers of a request: those of the web, or of Node and its frameworks. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request that was not sent by Laurel, was changed, or is too old. Answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  /** Express and Fastify answer with it if nobody catches the error. */
  readonly statusCode = 400;
}

/**
 * Verifies the signature of a webhook, as Standard Webhooks describes it, and returns its parsed body.
 * @param body the raw body, before any parser
 * @param secrets the signing secret, `whsec_...`; several during a rotation
 * @param options `toleranceSeconds`: the greatest age, 300 by default
 * @throws WebhookVerificationError if the request is not genuine
 */
export async function verifyWebhook<Body = WebhookChange>(
  body: string | Uint8Array<ArrayBuffer> | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[] | undefined,
  options: { readonly toleranceSeconds?: number | undefined } = {},
): Promise<Body> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  if (id === '' || !/^\d+$/.test(timestamp)) throw new WebhookVerificationError('The request is not signed.');
  const ageSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (ageSeconds > (options.toleranceSeconds ?? 300)) {
    throw new WebhookVerificationError('The request is too old, or from the future.');
  }
  const content = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), content);
  for (const secret of typeof secrets === 'string' ? [secrets] : (secrets ?? [])) {
    const key = await keyOf(secret);
    for (const signature of signatures) {
      const given = signature.startsWith('v1,') ? bytesOf(signature.slice('v1,'.length)) : undefined;
      // The comparison of Web Crypto takes the same time for every signature.
      if (given !== undefined && (await crypto.subtle.verify('HMAC', key, given, signed))) {
        return JSON.parse(new TextDecoder().decode(content)) as Body;
      }
    }
  }
  throw new WebhookVerificationError('The request was not signed with this secret, or was changed.');
}

/** @throws WebhookVerificationError without a secret, because anybody can sign with an empty one */
async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes === undefined || bytes.length === 0) {
    throw new WebhookVerificationError('The signing secret is empty or malformed: it is `whsec_` and base64.');
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** The bytes of base64; undefined if it is malformed. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return (typeof value === 'string' ? value : value?.[0]) ?? '';
}
