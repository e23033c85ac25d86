import { enumToJson } from '@bufbuild/protobuf';
import {
  WebhookConfiguration_AuthenticationMethodTypeSchema,
  WebhookConfiguration_MethodSchema,
  WebhookConfiguration_SendWhen as SendWhen,
  type WebhookSettings,
} from '../../../gen/laurel/v1/webhook_pb.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { sendsPlainSecret } from './plain-secrets.ts';
import { namesSpecialAddress } from '../delivery/target-address.ts';
import type { StoredConfiguration } from './webhook-configuration.queries.ts';
import type { WebhookMethod } from './webhook-target.ts';
import { WEBHOOK_PATHS, type WebhookType } from './webhook-type.ts';

/** The authentication of the service at a receiver. */
export type WebhookAuthentication = {
  readonly type: NonNullable<StoredConfiguration['authenticationMethodType']>;
  readonly key: string;
  /** The sent value: the secret, or its masked form. */
  readonly value: string;
};

/** Valid settings. */
export type CheckedSettings = {
  readonly endpoint: string;
  readonly method: WebhookMethod;
  readonly authentication: WebhookAuthentication | undefined;
  readonly signed: boolean;
  /** Whether the request asks for a new signing secret. */
  readonly rotates: boolean;
  readonly sendWhen: StoredConfiguration['sendWhen'];
  readonly retries: boolean;
};

/**
 * The prefix of every masked secret. No header value may contain this character, so a mask is never mistaken for a
 * secret.
 */
export const MASK = '••••';

/** The form of a field name: the token of RFC 9110. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Visible ASCII with inner spaces: every HTTP library sends it unchanged. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** A text without control characters and lone surrogates. */
const PRINTABLE = /^[^\p{Cc}\p{Cs}]+$/u;

/**
 * Header names that may not carry the secret: headers that define the message, its receiver or its body, and headers
 * that the sender writes itself.
 */
const RESERVED_HEADERS = new Set([
  'host',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'traceparent',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
]);

/**
 * Checks the settings of a webhook.
 * @throws DomainError `BAD_REQUEST`
 */
export function checkedSettings(
  type: WebhookType,
  settings: WebhookSettings,
  { allowPrivate, requireTls = false }: { readonly allowPrivate: boolean; readonly requireTls?: boolean },
): CheckedSettings {
  const { endpoint } = settings;
  checkEndpoint(endpoint, allowPrivate);
  const authentication = authenticationOf(settings);
  if (requireTls && sendsPlainSecret({ endpoint, authenticationMethodType: authentication?.type ?? null })) {
    throw badRequest(
      'endpoint must begin with https:// where an authenticationValue is sent: this service sends no secret over plain http. Send an https endpoint, or leave the three authentication fields out.',
    );
  }
  return {
    endpoint,
    method: methodOf(type, settings),
    authentication,
    signed: settings.signed ?? false,
    rotates: rotatesSecret(settings),
    sendWhen: sendWhenOf(type, settings),
    retries: settings.retries ?? false,
  };
}

/** The field of the webhooks. */
const ENDPOINT = { name: 'endpoint', hint: sentence`send it as a header by authenticationMethodType HEADER` };

/**
 * Refuses a malformed or forbidden address.
 * @param allowPrivate whether private addresses are allowed
 * @param field the name of the request's field, and the way of authentication instead of user information
 * @throws DomainError `BAD_REQUEST`
 */
export function checkEndpoint(endpoint: string, allowPrivate: boolean, field = ENDPOINT): void {
  const { name, hint } = field;
  const url = URL.parse(endpoint);
  // `URL` repairs more than other libraries: it drops line breaks and adds missing slashes.
  if (url === null || !/^https?:\/\/[^\s\p{Cc}]+$/iu.test(endpoint)) {
    throw badRequest(
      sentence`${name} must be an absolute URL with protocol, for example https://example.com/webhooks.`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw badRequest(sentence`${name} may not hold user information: ${hint}.`);
  }
  if (endpoint.includes('#')) throw badRequest(sentence`${name} may not hold a fragment (#...): it would not be sent.`);
  if (!allowPrivate && namesSpecialAddress(url)) {
    throw badRequest(
      sentence`${name} may not be a loopback, private, link-local or metadata address; send a public one, or have the operator set LAUREL_WEBHOOK_ALLOW_PRIVATE=true.`,
    );
  }
}

function methodOf(type: WebhookType, { method }: WebhookSettings): WebhookMethod {
  const word = enumToJson(WebhookConfiguration_MethodSchema, method);
  if (word === null || word === 'METHOD_UNSPECIFIED' || word === 'POST') return 'POST';
  if (type !== 'REWARDS') throw badRequest(sentence`method must be POST for the ${WEBHOOK_PATHS[type]} webhook.`);
  return word;
}

function sendWhenOf(type: WebhookType, { sendWhen }: WebhookSettings): StoredConfiguration['sendWhen'] {
  if (sendWhen === undefined || sendWhen === SendWhen.SEND_WHEN_UNSPECIFIED) return null;
  if (type === 'REWARDS') return sendWhen === SendWhen.ALL_SETTLED ? 'ALL_SETTLED' : 'EACH_DELIVERY';
  throw badRequest(sentence`sendWhen is a setting of the rewards webhook: leave it out for ${WEBHOOK_PATHS[type]}.`);
}

function rotatesSecret({ signed = false, rotateSigningSecret = false }: WebhookSettings): boolean {
  if (rotateSigningSecret && !signed)
    throw badRequest(
      'rotateSigningSecret makes a new secret for signatures: send signed: true with it, or leave it out.',
    );
  return rotateSigningSecret;
}

function authenticationOf(settings: WebhookSettings): WebhookAuthentication | undefined {
  const { authenticationMethodType = 0, authenticationMethodKey: key, authenticationValue: value } = settings;
  const type = enumToJson(WebhookConfiguration_AuthenticationMethodTypeSchema, authenticationMethodType);
  if (type !== 'HEADER' && type !== 'QUERY_PARAM') {
    if (key === undefined && value === undefined) return undefined;
    throw badRequest(
      'authenticationMethodKey and authenticationValue need an authenticationMethodType, HEADER or QUERY_PARAM; send all three or none.',
    );
  }
  if (key === undefined) throw badRequest(sentence`authenticationMethodKey is required with ${type}.`);
  if (value === undefined) throw badRequest(sentence`authenticationValue is required with ${type}.`);
  if (type === 'HEADER') checkHeader(key, value);
  else checkQueryParameter(key, value);
  return { type, key, value };
}

function checkHeader(key: string, value: string): void {
  if (!HEADER_NAME.test(key)) {
    throw badRequest("authenticationMethodKey must be a header name: letters, digits and !#$%&'*+-.^_`|~ only.");
  }
  if (RESERVED_HEADERS.has(key.toLowerCase())) {
    throw badRequest(
      sentence`authenticationMethodKey may not be ${key}: the request itself needs that header. Send another name.`,
    );
  }
  if (!HEADER_VALUE.test(value) && !value.startsWith(MASK)) {
    throw badRequest(
      'authenticationValue must be printable ASCII without space at either end, because it is sent in a header.',
    );
  }
}

function checkQueryParameter(key: string, value: string): void {
  if (!PRINTABLE.test(key)) throw badRequest('authenticationMethodKey may not hold control characters.');
  if (!PRINTABLE.test(value)) throw badRequest('authenticationValue may not hold control characters.');
}
