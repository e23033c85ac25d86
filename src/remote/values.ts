import type { JsonValue } from '@bufbuild/protobuf';
import type { CallOptions, EventContent, IdType } from '../../packages/typescript/src/index.ts';
import { UsageError } from '../kernel/usage-error.ts';

/** The parts of an event on the command line. */
export type EventValues = {
  readonly amount?: string | undefined;
  readonly attribute?: readonly string[] | undefined;
  readonly 'occurred-at'?: string | undefined;
  readonly 'id-type'?: string | undefined;
};

/** @throws UsageError for a malformed value */
export function contentOf(options: EventValues): EventContent {
  const { amount, attribute = [], 'occurred-at': occurredAt } = options;
  return {
    amount: amount === undefined ? undefined : numberOf('--amount', amount, 0),
    attributes: Object.fromEntries(attribute.map(attributeOf)),
    occurredAt: occurredAt === undefined ? undefined : momentOf('--occurred-at', occurredAt),
  };
}

/** The kind of account ids; that of the client by default. */
export function idTypeOf({
  'id-type': idType,
}: {
  readonly 'id-type'?: string | undefined;
}): Pick<CallOptions, 'idType'> {
  return { idType: idType as IdType | undefined };
}

/** @throws UsageError for another text than a number from `least` to `most` */
export function numberOf(name: string, text: string, least: number, most = Infinity): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (number >= least && number <= most) return number;
  throw new UsageError(
    `${name} must be a number from ${least}${most === Infinity ? '' : ` to ${most}`}, not '${text}'.`,
  );
}

/** A whole number, or `otherwise` if it is absent. */
export function countOf(name: string, text: string | undefined, otherwise: number, most: number, least = 1): number {
  if (text === undefined) return otherwise;
  const number = numberOf(name, text, least, most);
  if (Number.isInteger(number)) return number;
  throw new UsageError(`${name} must be a whole number, not '${text}'.`);
}

function momentOf(name: string, text: string): Date {
  const moment = new Date(text);
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(moment.getTime())) return moment;
  throw new UsageError(`${name} must be a time such as 2026-05-04T10:30:00Z, not '${text}'.`);
}

function attributeOf(text: string): [string, JsonValue] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--attribute must be NAME=VALUE, not '${text}'.`);
  return [text.slice(0, at), jsonOrText(text.slice(at + 1))];
}

/** `2.5`, `true` and `"5"` as in JSON; any other text is itself. */
function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
