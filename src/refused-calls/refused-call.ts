import type { Asked, CallFailure } from '../clients/answered-call.ts';
import { newId } from '../kernel/ids.ts';
import { type AskedThings, askedThings } from './asked-things.ts';
import type { CallKind } from './call-counts.ts';
import { fieldOf, maskedMessage, unreadMessage } from './masked-message.ts';

/** A refused call that is kept, before its account is looked up. */
export type KeptCall = CallKind & {
  readonly id: string;
  readonly accountToken: boolean;
  readonly statusCode: number;
  readonly message: string;
  readonly account: AskedThings['account'];
  readonly programmaticCode: string | undefined;
  readonly resourceId: string | undefined;
  readonly operationId: string | undefined;
  readonly field: string | undefined;
};

/** A refused call: its kind, its failure, and what was asked, as far as it could be read. */
export type Refusal = {
  readonly kind: CallKind;
  readonly failure: CallFailure;
  readonly asked: Asked | undefined;
  /** The account of an account token. */
  readonly tokenAccount: string | undefined;
};

/** Characters of a message and of a field. */
const MESSAGE_MAX = 1_000;
const FIELD_MAX = 200;

/** The part of a refused call that is kept: codes and UUIDs, and its message without other texts of the call. */
export function keptCall({ kind, failure, asked, tokenAccount }: Refusal): KeptCall {
  const { statusCode, message = '', details } = failure;
  const things: AskedThings = asked === undefined ? { texts: [] } : askedThings(asked);
  const text = asked === undefined ? unreadMessage(message) : maskedMessage(message, things.texts);
  const field = details?.find((detail) => detail.field !== '')?.field ?? fieldOf(message);
  return {
    ...kind,
    id: newId(),
    accountToken: tokenAccount !== undefined,
    statusCode,
    message: storable(text, MESSAGE_MAX),
    account: tokenAccount === undefined ? things.account : { id: tokenAccount },
    programmaticCode: things.programmaticCode,
    resourceId: things.resourceId,
    operationId: things.operationId,
    field: field && storable(maskedMessage(field, []), FIELD_MAX),
  };
}

/** A text that PostgreSQL stores. */
function storable(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replaceAll('\0', '').toWellFormed();
}
