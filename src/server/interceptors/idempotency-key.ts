import { type DescMethod, getOption, type Message } from '@bufbuild/protobuf';
import { field as fieldRules } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import type { Interceptor } from '@connectrpc/connect';
import { badRequest, type DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { exchangeKey, type HttpRequest } from '../http/exchange.ts';
import { isUnsafeToRepeat } from '../rpc/unsafe-to-repeat.ts';
import { type OperationIdField, operationIdField } from '../rpc/operation-id-field.ts';

const HEADER = 'idempotency-key';

/** The characters of a Structured Field string (RFC 8941 §3.3.3). */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const PRINTABLE = /^[\x20-\x7e]+$/;

/**
 * Makes the request header `Idempotency-Key` the operation id of every operation that has one, over every protocol. An operation without an
 * id refuses the header if a repeat would do the work again; other operations ignore it: docs/decisions/0013.
 */
export function idempotencyKeyInterceptor(): Interceptor {
  const idFields = new Map<DescMethod, OperationIdField | 'refused' | undefined>();
  const idFieldOf = (method: DescMethod) => {
    if (!idFields.has(method)) idFields.set(method, isUnsafeToRepeat(method) ? 'refused' : operationIdField(method));
    return idFields.get(method);
  };
  return (next) => (request) => {
    const http = request.stream ? undefined : request.contextValues.get(exchangeKey)?.request;
    if (http?.headers[HEADER] !== undefined && !request.stream) {
      const idField = idFieldOf(request.method);
      if (idField === 'refused') throw doneAgain(request.method);
      if (idField !== undefined) take(http, idField, request.message, request.method);
    }
    return next(request);
  };
}

function take(http: HttpRequest, idField: OperationIdField, message: Message, method: DescMethod): void {
  if (idField.kind === 'many') {
    const words = sentence`${method.name} is many operations and takes no header Idempotency-Key.`;
    throw badRequest(sentence`${words} Set \`operationId\` in each of \`${idField.list.jsonName}\` instead.`);
  }
  const { within, field } = idField;
  const holder = within === undefined ? message : fieldsOf(message)[within.localName];
  // The rules of the proto refuse a missing message, with its name.
  if (holder === undefined) return;
  const key = keyOf(http, maxLengthOf(idField));
  const fields = fieldsOf(holder as Message);
  const sent = fields[field.localName];
  if (sent !== '' && sent !== key) {
    throw badRequest('The header Idempotency-Key and `operationId` differ. Send one of them, or the same in both.');
  }
  fields[field.localName] = key;
}

function doneAgain({ name }: DescMethod): DomainError {
  return badRequest(
    sentence`${name} is done again by each call and takes no header Idempotency-Key, which would protect from nothing. Leave it out.`,
  );
}

/**
 * The key: the plain value, or the text of a quoted string, like in the IETF draft of the header.
 * @throws DomainError `BAD_REQUEST` unless it is one key of 1 to `maxLength` printable ASCII characters
 */
function keyOf({ headers, rawHeaders }: HttpRequest, maxLength: number): string {
  const times = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === HEADER).length;
  if (times > 1) throw badRequest('The header Idempotency-Key was sent more than once. Send it once.');
  const sent = String(headers[HEADER]);
  const key = sent.startsWith('"') ? QUOTED.exec(sent)?.[1]?.replace(/\\(.)/g, '$1') : sent;
  if (key === undefined) {
    throw badRequest('The header Idempotency-Key begins with a quote and is no quoted string. Send "key" or key.');
  }
  if (!PRINTABLE.test(key) || key.length > maxLength) {
    throw badRequest(sentence`The header Idempotency-Key must have 1-${maxLength} printable ASCII characters.`);
  }
  return key;
}

/** The maximum length of the operation id in characters. */
function maxLengthOf({ field }: Extract<OperationIdField, { kind: 'one' }>): number {
  const { type } = getOption(field, fieldRules);
  if (type.case !== 'string' || type.value.maxLen === undefined) {
    throw new Error(`${field.parent.typeName}.${field.name} must state its greatest length.`);
  }
  return Number(type.value.maxLen);
}

function fieldsOf(message: Message): Record<string, unknown> {
  return message;
}
