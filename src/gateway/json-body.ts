import { isUtf8 } from 'node:buffer';
import type { JsonValue } from '@bufbuild/protobuf';
import { badRequest } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import { unsupportedMediaType } from '../server/http/protocol-error.ts';

/** A request body and its headers. */
export type Body = {
  /** The whole body; undefined or empty when none was sent. */
  readonly bytes: Uint8Array | undefined;
  readonly contentType: string | undefined;
  /** A header of the request by its name in lower case. */
  readonly header?: ((name: string) => string | undefined) | undefined;
};

/**
 * The text of a JSON body; undefined when none was sent. A body without a `Content-Type` counts as JSON.
 * @throws ProtocolError 415 for another type or character set; DomainError invalid for bytes that are not UTF-8
 */
export function bodyText(body: Body): string | undefined {
  const { bytes, contentType } = body;
  if (bytes === undefined || bytes.length === 0) return undefined;
  if (contentType !== undefined && contentType !== 'application/json') assertJsonType(contentType);
  return utf8Of(body);
}

/**
 * The text of a body, whatever its type; undefined when none was sent.
 * @throws DomainError invalid for bytes that are not UTF-8
 */
export function utf8Of({ bytes }: Body): string | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw badRequest('The body is not valid UTF-8. Send JSON in UTF-8.');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

/** @throws DomainError invalid with the position at which the text stops being JSON */
export function parseBody(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw badRequest(sentence`The body is not valid JSON: ${(error as Error).message}.`);
  }
}

function assertJsonType(contentType: string): void {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type !== 'application/json') {
    throw unsupportedMediaType(`The body is "${type}". Send JSON with \`Content-Type: application/json\`.`);
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) {
    throw unsupportedMediaType(`The body's ${charset} is not read here. Send JSON in UTF-8.`);
  }
}
