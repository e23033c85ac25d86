import { type DescEnum, type DescEnumValue, type DescExtension, type DescMethod, getOption } from '@bufbuild/protobuf';
import { type ErrorKind, httpStatuses } from '../../kernel/errors/error-kinds.ts';
import type { Binding } from '../binding.ts';
import type { ErrorExtensions } from '../route.ts';
import { withJsonNames } from './proto-comments.ts';

/** One error that the proto of an operation declares. */
export type DeclaredError = {
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly code: string;
  /** The condition of the error, for people; may be empty. */
  readonly when: string;
  /** Whether it is the outcome of one item of the request instead of the answer to the call. */
  readonly perItem: boolean;
};

/**
 * The errors that an operation declares with `laurel.errors.v1.errors`, in the order of the proto.
 * @throws Error for an unspecified code, or a code without a kind
 */
export function declaredErrors({ rpc, filterErrorCode }: Binding, options: ErrorExtensions): DeclaredError[] {
  const { errors, aboutError } = options;
  if (errors === undefined || aboutError === undefined) return [];
  return statedOf(rpc, errors).map(({ code: number, when, perItem }) => {
    const value = codesOf(errors).value[number];
    if (value === undefined || number === 0) throw new Error(`${rpc}: an error is declared without a code.`);
    // An invalid filter is a 400 for any code.
    const status = value.name === filterErrorCode ? 400 : httpStatuses[kindOf(value, aboutError)];
    return { status, code: value.name, when: withJsonNames(when, rpc), perItem };
  });
}

/** The declared errors in words: `Errors: 400 BAD_REQUEST, 404 ACCOUNT_NOT_FOUND (INTERNAL only).`; empty without any. */
export function inWords(errors: readonly DeclaredError[]): string {
  const [call, items] = [false, true].map((perItem) => errors.filter((error) => error.perItem === perItem).map(inWord));
  const parts = [...listed('Errors', call), ...listed('Of single items', items)];
  return parts.join(' ');
}

/**
 * The kind of a code, from its option.
 * @throws Error without one
 */
export function kindOf(value: DescEnumValue, aboutError: DescExtension): ErrorKind {
  const { kind } = getOption(value, aboutError) as { readonly kind: number };
  const kinds = enumOf(aboutError, 'kind');
  const name = kinds.value[kind]?.name;
  if (name !== undefined && name in httpStatuses) return name as ErrorKind;
  throw new Error(`${value} states no kind that has a status.`);
}

/** The enum of error codes. */
export function codesOf(errors: DescExtension): DescEnum {
  return enumOf(errors, 'code');
}

/** laurel.errors.v1.DeclaredError, as read without generated types. */
type Stated = { readonly code: number; readonly when: string; readonly perItem: boolean };

function statedOf(rpc: DescMethod, errors: DescExtension): readonly Stated[] {
  return getOption(rpc, errors) as readonly Stated[];
}

function enumOf(extension: DescExtension, field: string): DescEnum {
  const found = extension.message?.field[field]?.enum;
  if (found === undefined) throw new Error(`${extension} has no enum ${field}.`);
  return found;
}

function inWord({ status, code, when }: DeclaredError): string {
  return when === '' ? `${status} ${code}` : `${status} ${code} (${when})`;
}

function listed(subject: string, words: readonly string[] = []): string[] {
  return words.length === 0 ? [] : [`${subject}: ${words.join(', ')}.`];
}
