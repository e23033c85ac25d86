// What the protos declare for clients in every language: the codes of errors, and the fields by which lists are filtered.
import {
  type DescEnum,
  type DescEnumValue,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
  getOption,
  ScalarType,
} from '@bufbuild/protobuf';
import { commentOf } from '../../src/gateway/codegen/proto-comments.ts';
import { rpcsIn } from './client-image.ts';

/** `laurel.errors.v1.ErrorTraits.Scope.NO_CALL`: shown by pages and fields only. */
const NO_CALL = 2;
const FILTER = 'laurel.v1.Filter';

/** A field by which a list can be filtered, and the type of its values. */
export type Filterable = {
  /** The JSON name, or `attributes.` and a placeholder for the name of an attribute. */
  readonly name: string;
  readonly type: 'text' | 'number' | 'flag' | 'moment' | 'enum' | 'attribute';
  /** The names of an enum's values, without the unspecified one. */
  readonly names?: readonly string[];
};

/** The codes that a call can be answered with. */
export function answeredCodes(registry: FileRegistry): DescEnumValue[] {
  const about = registry.getExtension('laurel.errors.v1.about')!;
  return enumOf(registry, 'laurel.errors.v1.ErrorCode').values.filter(
    (value) => value.number !== 0 && (getOption(value, about) as { readonly scope: number }).scope !== NO_CALL,
  );
}

/** `AccountNotFoundError` for `ACCOUNT_NOT_FOUND`. */
export function classOf(code: string): string {
  return `${pascal(code)}Error`.replace('ErrorError', 'Error');
}

/** `AccountNotFound` for `ACCOUNT_NOT_FOUND`. */
export function pascal(code: string): string {
  const words = code.toLowerCase().split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** @throws Error if the protos have no such enum */
export function enumOf(registry: FileRegistry, name: string): DescEnum {
  const found = registry.getEnum(name);
  if (found === undefined) throw new Error(`The protos have no enum ${name}.`);
  return found;
}

/** The RPCs of lists that take filters. */
export function listsIn(registry: FileRegistry): DescMethod[] {
  return rpcsIn(registry).filter(
    ({ methodKind, input }) =>
      methodKind === 'unary' && input.fields.some((field) => field.message?.typeName === FILTER),
  );
}

/**
 * The fields by which a list can be filtered: its comment names them, its rows have their types.
 * @param lists all lists, because a comment may refer to another one
 */
export function filterableOf(rpc: DescMethod, lists: readonly DescMethod[]): Filterable[] {
  const words = /Filterable: ((?:`[^`]*`|[^.;`])*)/.exec(commentOf(rpc).replaceAll(/\s+/g, ' '))?.[1];
  if (words === undefined) throw new Error(`${rpc}: its comment does not say "Filterable: ..."`);
  const other = /^as in (\w+)/.exec(words)?.[1];
  if (other !== undefined)
    return filterableOf(
      lists.find(({ name }) => name === other)!,
      lists,
    );
  const row = rpc.output.fields.find(({ fieldKind }) => fieldKind === 'list')!.message!;
  return [...words.matchAll(/`([^`]+)`(: true)?/g)].map(([, name = '', isFlag]) => {
    if (name.startsWith('attributes.')) return { name, type: 'attribute' };
    return isFlag ? { name, type: 'flag' } : filterableField(row, name);
  });
}

function filterableField(row: DescMessage, name: string): Filterable {
  // A row may hold its resource in a message, and may name another one by a message instead of its id.
  const parts = [row, ...row.fields.flatMap(({ fieldKind, message }) => (fieldKind === 'message' ? [message] : []))];
  const field = parts.flatMap((each) => each.fields).find(({ jsonName }) => jsonName === name);
  if (field === undefined && /(^i|I)d$/.test(name)) return { name, type: 'text' };
  if (field === undefined) throw new Error(`${row} has no field ${name}, by which its list can be filtered.`);
  if (field.message?.typeName === 'google.protobuf.Timestamp') return { name, type: 'moment' };
  if (field.enum !== undefined) return { name, type: 'enum', names: namesOf(field.enum) };
  if (field.scalar === ScalarType.BOOL) return { name, type: 'flag' };
  return { name, type: field.scalar === ScalarType.STRING ? 'text' : 'number' };
}

function namesOf({ values }: DescEnum): string[] {
  return values.filter(({ number }) => number !== 0).map(({ name }) => name);
}
