import { isDue } from '../../kernel/time/due.ts';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import { webhookHeaders } from '../../kernel/secrets/webhook-headers.ts';
import { mediaTypeOf } from '../changes/notification.ts';
import { signatureHeaders } from './webhook-signature.ts';
import { OVERLAP_HOURS } from '../configuration/webhook-configuration.queries.ts';
import { secretOwner, type SendTarget, type WebhookTarget } from '../configuration/webhook-target.ts';

/** A request, and its secret parts. */
export type WebhookRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Secret pieces that a receiver may echo in its answer, and that the log must hide. */
  readonly confidential: readonly string[];
};

/** The minimum length of a hidden piece. Shorter pieces occur in any text: hiding them would hide the text and protect nothing. */
const CONFIDENTIAL_MIN = 4;

/**
 * The request of a message: the configured endpoint with the authentication attached, and signed if so configured.
 * @throws UnreadableSecret if a secret of the configuration does not open
 */
export function webhookRequest(
  secrets: SecretBox,
  target: SendTarget,
  message: { readonly id: string; readonly body: string; readonly traceparent?: string | null },
  at: Date,
): WebhookRequest {
  const url = new URL(target.endpoint);
  const headers: Record<string, string> = {
    'user-agent': 'Laurel-Webhooks/1',
    'content-type': mediaTypeOf(message.body),
  };
  const path = url.pathname + url.search;
  const { authenticationMethodKey: key, authenticationValueSealed: sealed } = target;
  const value = sealed === null ? '' : secrets.open(sealed, secretOwner(target, 'authentication'));
  if (target.authenticationMethodType === 'HEADER' && key !== null) headers[key.toLowerCase()] = value;
  if (target.authenticationMethodType === 'QUERY_PARAM' && key !== null) url.search = withPair(url.search, key, value);
  // Receivers recognise a repeat by the id, also without a signature check.
  if (message.traceparent) headers['traceparent'] = message.traceparent;
  if (target.retries) headers['webhook-id'] = message.id;
  if (target.signingSecretSealed !== null) {
    const owner = secretOwner(target, 'signing');
    const sealed = [target.signingSecretSealed, ...(formerCounts(target, at) ? [target.formerSecretSealed] : [])];
    const opened = sealed.map((each) => secrets.open(each, owner));
    Object.assign(headers, signatureHeaders(opened, message, at));
  }
  return { url, headers, confidential: confidentialPieces(path, value) };
}

/** The header names of {@link webhookRequest} for a message, in lower case, without opening a secret. */
export function headerNames(
  { authenticationMethodType, authenticationMethodKey: key, retries, signingSecretSealed }: WebhookTarget,
  traceparent: string | null,
): string[] {
  const { id, ...others } = webhookHeaders;
  return [
    'user-agent',
    'content-type',
    ...(authenticationMethodType === 'HEADER' && key !== null ? [key.toLowerCase()] : []),
    ...(traceparent ? ['traceparent'] : []),
    ...(retries || signingSecretSealed !== null ? [id] : []),
    ...(signingSecretSealed === null ? [] : Object.values(others)),
  ];
}

/** Whether the receiver may still verify with the secret from before the last rotation. */
function formerCounts<Target extends SendTarget>(
  target: Target,
  at: Date,
): target is Target & { readonly formerSecretSealed: string } {
  const { formerSecretSealed, formerSecretUntil } = target;
  return formerSecretSealed !== null && !isDue(formerSecretUntil, at, OVERLAP_HOURS * 3_600_000);
}

/** Appends as text: `URLSearchParams` would rewrite the integrator's own pairs, `%20` as `+`, and break a signed query. */
function withPair(search: string, key: string, value: string): string {
  const pair = `${encodeURIComponent(key)}=${encodeURIComponent(value)}`;
  return search.length > 1 ? `${search}&${pair}` : `?${pair}`;
}

/** The pieces of the value and the path: many receivers have their secret in the path. `Bearer abc` counts whole and by its words. */
function confidentialPieces(path: string, value: string): string[] {
  const words = [value, ...value.split(' ')];
  const spellings = words.flatMap((word) => [word, encodeURIComponent(word), JSON.stringify(word).slice(1, -1)]);
  const pieces = new Set([path, ...spellings].filter((piece) => piece.length >= CONFIDENTIAL_MIN));
  // The longest first: a shorter piece inside another would otherwise leave the rest of that one visible.
  return [...pieces].sort((a, b) => b.length - a.length);
}
