import type { JsonValue } from '@bufbuild/protobuf';
import { DomainError } from '../kernel/errors/domain-error.ts';
import type { ErrorCodeName } from '../kernel/errors/error-codes.ts';

/**
 * Whether a JSON text or a decoded query parameter may contain text that PostgreSQL cannot store unchanged. It refuses
 * a NUL, and would replace half of a surrogate pair, so that two different ids became one. This check is cheap and may
 * be wrongly true; `assertStorable` is exact.
 */
export function holdsUnstorableText(text: string): boolean {
  return text.includes('\0') || text.includes('\\u0000') || text.includes('\\ud') || text.includes('\\uD');
}

/**
 * @param at the path of `json`, for the message
 * @throws DomainError invalid with `code` if a string or a key in it has a NUL character or half of a surrogate pair
 */
export function assertStorable(json: JsonValue, at: string, code: ErrorCodeName = 'BAD_REQUEST'): void {
  const fault = unstorableIn(json, at);
  if (fault !== undefined) throw new DomainError(code, fault, { kind: 'INVALID' });
}

function unstorableIn(json: JsonValue, at: string): string | undefined {
  if (typeof json === 'string') return faultOf(json, at);
  if (typeof json !== 'object' || json === null) return undefined;
  for (const [key, value] of Object.entries(json)) {
    const path = Array.isArray(json) ? `${at}[${key}]` : join(at, key);
    const fault = faultOf(key, at) ?? unstorableIn(value, path);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(text: string, at: string): string | undefined {
  const where = at === '' ? 'The request' : at;
  if (text.includes('\0')) return `${where} holds a NUL character. Send text without it.`;
  if (!text.isWellFormed()) return `${where} holds half of a surrogate pair. Send well-formed Unicode.`;
  return undefined;
}

function join(at: string, key: string): string {
  return at === '' ? key : `${at}.${key}`;
}
