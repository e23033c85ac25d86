import { type DescField, type DescMessage, type JsonValue, type Message, toJson } from '@bufbuild/protobuf';
import type { Asked } from '../clients/answered-call.ts';
import { Account_IdType, Account_IdTypeSchema } from '../../gen/laurel/v1/account_pb.ts';
import { parseId } from '../kernel/ids.ts';

/** The things that a call named, as far as the log keeps them. */
export type AskedThings = {
  /** The account as it was named. */
  readonly account?: { readonly id: string } | { readonly externalId: string };
  readonly programmaticCode?: string;
  readonly resourceId?: string;
  readonly operationId?: string;
  /** The other texts of the call, which may be personal. */
  readonly texts: readonly string[];
};

const CODE = 'programmaticCode';
const OPERATION_ID = 'operationId';
const ACCOUNT_IDS: ReadonlySet<string> = new Set(['accountId', 'intoAccountId']);

/** A moment, such as the `occurredAt` of an event, which is not personal. */
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Characters of codes and operation ids. */
const CODE_MAX = 128;

/** The things that a request named: in itself, or in the message that it consists of. */
export function askedThings({ input, request }: Asked): AskedThings {
  const holders = holdersOf(input, request);
  const texts = [...textsOf(jsonOf(input, request))];
  const first = (name: string) => holders.map((each) => textAt(each, name)).find((text) => text !== undefined);
  const programmaticCode = storable(first(CODE));
  const operationId = storable(first(OPERATION_ID));
  const kept = new Set([programmaticCode, operationId]);
  const account = holders.map(accountOf).find((found) => found !== undefined);
  const resourceId = holders.flatMap((holder) => idsOf(holder, account)).at(0);
  return {
    ...(account !== undefined && { account }),
    ...(programmaticCode !== undefined && { programmaticCode }),
    ...(resourceId !== undefined && { resourceId }),
    ...(operationId !== undefined && { operationId }),
    texts: texts.filter((text) => !kept.has(text) && parseId(text) === undefined && !MOMENT.test(text)),
  };
}

type Holder = { readonly desc: DescMessage; readonly fields: Record<string, unknown> };

/** The request and the messages in its fields, such as the event of `EmitTriggerRequest`. */
function holdersOf(input: DescMessage, request: Message): Holder[] {
  const own = { desc: input, fields: request as unknown as Record<string, unknown> };
  const nested = input.fields.flatMap((field) => {
    const value = own.fields[field.localName];
    return field.fieldKind === 'message' && value !== undefined && field.message.typeName.startsWith('laurel.')
      ? [{ desc: field.message, fields: value as Record<string, unknown> }]
      : [];
  });
  return [own, ...nested];
}

/** A code as it was sent; undefined for one that is too long, or that PostgreSQL cannot store. */
function storable(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= CODE_MAX && text.isWellFormed() && !text.includes('\0')
    ? text
    : undefined;
}

/** The text of a field; undefined if it is empty or no text. */
function textAt({ fields }: Holder, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The account that a message names: by `accountId`, or by an `id` beside an `idType`, or by `externalId` alone. */
function accountOf(holder: Holder): AskedThings['account'] | undefined {
  const byType = holder.desc.fields.some(isIdType);
  const name = [...ACCOUNT_IDS, ...(byType ? ['id'] : [])].find((each) => textAt(holder, each) !== undefined);
  const text = name === undefined ? undefined : textAt(holder, name);
  if (text === undefined) {
    const externalId = textAt(holder, 'externalId');
    return externalId === undefined ? undefined : { externalId };
  }
  if (holder.fields['idType'] === Account_IdType.EXTERNAL) return { externalId: text };
  const id = parseId(text);
  return id === undefined ? undefined : { id };
}

function isIdType(field: DescField): boolean {
  return field.fieldKind === 'enum' && field.enum.typeName === Account_IdTypeSchema.typeName;
}

/** The UUIDs of other things than the account, in the order of the fields. */
function idsOf(holder: Holder, account: AskedThings['account'] | undefined): string[] {
  return holder.desc.fields.flatMap(({ localName }) => {
    if ((localName !== 'id' && !localName.endsWith('Id')) || ACCOUNT_IDS.has(localName) || localName === OPERATION_ID)
      return [];
    const id = parseId(textAt(holder, localName) ?? '');
    return id === undefined || (account !== undefined && 'id' in account && account.id === id) ? [] : [id];
  });
}

function jsonOf(input: DescMessage, request: Message): JsonValue {
  try {
    return toJson(input, request, { enumAsInteger: true });
  } catch {
    // A value without a JSON form, such as a moment in the year 12,000.
    return null;
  }
}

function* textsOf(json: JsonValue): Iterable<string> {
  if (typeof json === 'string') yield json;
  else if (typeof json === 'object' && json !== null) for (const value of Object.values(json)) yield* textsOf(value);
}
