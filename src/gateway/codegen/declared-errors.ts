import { type DescEnum, type DescEnumValue, type DescExtension, type DescMethod, getOption } from '@bufbuild/protobuf';
import { type ErrorKind, httpStatuses } from '../../kernel/errors/error-kinds.ts';
import type { Binding } from '../binding.ts';
import type { ErrorExtensions } from '../route.ts';
import { withJsonNames } from './proto-comments.ts';

/** One error that the proto of an operation declares. */
export type DeclaredError = {
  /** The HTTP status with which it is answered. */
  readonly status: number;
  readonly code: string;
  /** For people; may be empty. */
  readonly when: string;
  /** It is the outcome of one item of the request, and no answer to the call. */
  readonly perItem: boolean;
};

/**
 * The errors that an operation declares with `laurel.errors.v1.errors`, in the order of the proto.
 * @throws Error for a code that is none, or that states no kind
 */
export function declaredErrors({ rpc, filterErrorCode }: Binding, options: ErrorExtensions): DeclaredError[] {
  const { errors, aboutError } = options;
  if (errors === undefined || aboutError === undefined) return [];
  return statedOf(rpc, errors).map(({ code: number, when, perItem }) => {
    const value = codesOf(errors).value[number];
    if (value === undefined || number === 0) throw new Error(`${rpc}: an error is declared without a code.`);
    // A filter at fault is a 400 whatever its code.
    const status = value.name === filterErrorCode ? 400 : httpStatuses[kindOf(value, aboutError)];
    return { status, code: value.name, when: withJsonNames(when, rpc), perItem };
  });
}

/** `Errors: 400 BAD_REQUEST, 404 ACCOUNT_NOT_FOUND (INTERNAL only).`, for people; empty where none is declared. */
export function inWords(errors: readonly DeclaredError[]): string {
  const [call, items] = [false, true].map((perItem) => errors.filter((error) => error.perItem === perItem).map(inWord));
  const parts = [...listed('Errors', call), ...listed('Of single items', items)];
  return parts.join(' ');
}

/** The kind of a code, as its option states it. @throws Error where it states none */
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

/** laurel.errors.v1.DeclaredError as a message without generated types has it. */
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
