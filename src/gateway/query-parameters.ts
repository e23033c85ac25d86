import type { DescField, JsonObject, JsonValue } from '@bufbuild/protobuf';
import { DomainError } from '../kernel/errors/domain-error.ts';
import type { ErrorCodeName } from '../kernel/errors/error-codes.ts';
import { sentence } from '../kernel/sentence.ts';
import { type Binding, type FieldPath, fieldPathIn } from './binding.ts';
import { boundsOf } from './number-bounds.ts';
import { assertStorable, holdsUnstorableText } from './storable-text.ts';
import { type TextReader, textReaderOf } from './text-value.ts';
import { isJsonParameter, isValueMessage, valueTypeOf } from './wire-form.ts';

/**
 * Reads a query string (without its `?`) into the JSON of the request message.
 * @throws DomainError invalid with the parameter and the expected value; for filters it has the route's own code
 */
export type QueryReader = (query: string, request: JsonObject) => void;

/** The reader of one route; parameters have JSON names (`idType`) or proto names (`id_type`). */
export function queryReaderOf(binding: Binding): QueryReader {
  const parameters = new Map<string, Parameter>();
  for (const field of binding.queryFields) {
    const parameter = parameterOf([field], binding);
    parameters.set(field.name, parameter).set(field.jsonName, parameter);
  }
  const named = (name: string): Parameter => parameters.get(name) ?? nestedParameter(binding, name);

  return (query, request) => {
    if (query === '') return;
    const given = new Map<string, Parameter>();
    for (const [name, text] of pairsOf(query)) {
      const parameter = named(name);
      assertOnce(given, parameter);
      given.set(parameter.name, parameter);
      write(request, parameter, readOne(parameter, text));
    }
  };
}

/**
 * Writes a value at the end of a path of fields and creates the objects on the way. If another value is in the way, the reader of the whole
 * message refuses it.
 */
export function writeAt(request: JsonObject, path: FieldPath, json: JsonValue): void {
  let object = request;
  for (const field of path.slice(0, -1)) {
    const inner = (object[field.jsonName] ??= {});
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return;
    object = inner;
  }
  const leaf = path.at(-1) as DescField;
  object[leaf.jsonName] = json;
}

type Parameter = {
  /** The name in the documentation: JSON names joined by dots. */
  readonly name: string;
  readonly path: FieldPath;
  readonly repeated: boolean;
  readonly read: TextReader;
  /** The `code` of errors about this parameter; filters have a separate one. */
  readonly errorCode: ErrorCodeName;
};

function parameterOf(path: FieldPath, binding: Binding): Parameter {
  const leaf = path.at(-1) as DescField;
  return {
    name: path.map((field) => field.jsonName).join('.'),
    path,
    repeated: leaf.fieldKind === 'list',
    read: textReaderOf(valueTypeOf(leaf), boundsOf(leaf)),
    errorCode: isJsonParameter(path[0] as DescField) ? binding.filterErrorCode : 'BAD_REQUEST',
  };
}

/** A field inside a message, `sub.field=...`. It is looked up each time, because a recursive message has infinitely many names. */
function nestedParameter(binding: Binding, name: string): Parameter {
  const path = name.includes('.') ? fieldPathIn(binding.rpc.input, name) : undefined;
  if (path === undefined || !binding.queryFields.includes(path[0] as DescField)) throw unknownParameter(binding, name);
  const inThePath = binding.pathFields.some(
    (each) => each.length === path.length && each.every((field, i) => field === path[i]),
  );
  const leaf = path.at(-1) as DescField;
  const listOfMessages = leaf.fieldKind === 'list' && leaf.listKind === 'message' && !isValueMessage(leaf.message);
  if (inThePath || listOfMessages || leaf.fieldKind === 'map') throw unknownParameter(binding, name);
  return parameterOf(path, binding);
}

function unknownParameter(binding: Binding, name: string): DomainError {
  const known = binding.queryFields.map((field) => field.jsonName);
  const advice = known.length === 0 ? 'This operation takes none.' : `This operation takes ${known.join(', ')}.`;
  return invalid('BAD_REQUEST', `Unknown query parameter ${JSON.stringify(name.slice(0, 80))}. ${advice}`);
}

function assertOnce(given: ReadonlyMap<string, Parameter>, parameter: Parameter): void {
  if (given.has(parameter.name) && !parameter.repeated) {
    throw invalid(parameter.errorCode, `The query parameter "${parameter.name}" may be sent only once.`);
  }
  for (const other of given.keys()) {
    if (other.startsWith(`${parameter.name}.`) || parameter.name.startsWith(`${other}.`)) {
      throw invalid(
        parameter.errorCode,
        `The query parameters "${other}" and "${parameter.name}" cannot both be sent.`,
      );
    }
  }
}

function readOne(parameter: Parameter, text: string): JsonValue {
  const reading = parameter.read(text);
  if (!reading.ok) throw invalid(parameter.errorCode, `The query parameter "${parameter.name}" ${reading.problem}`);
  if (holdsUnstorableText(text)) assertStorable(reading.json, parameter.name, parameter.errorCode);
  return reading.json;
}

function write(request: JsonObject, parameter: Parameter, json: JsonValue): void {
  const list = parameter.repeated ? valueAt(request, parameter.path) : undefined;
  const value = parameter.repeated ? [...(Array.isArray(list) ? list : []), json] : json;
  writeAt(request, parameter.path, value);
}

function valueAt(request: JsonObject, path: FieldPath): JsonValue | undefined {
  let value: JsonValue | undefined = request;
  for (const field of path) value = (value as JsonObject | undefined)?.[field.jsonName];
  return value;
}

/** The names and values, decoded like HTML forms: `+` is a space. Empty pieces (`a=1&&b=2`) are skipped. */
function* pairsOf(query: string): Iterable<readonly [name: string, text: string]> {
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const name = equals === -1 ? piece : piece.slice(0, equals);
    const text = equals === -1 ? '' : piece.slice(equals + 1);
    yield [decoded(name, name), decoded(text, name)];
  }
}

function decoded(text: string, name: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw invalid('BAD_REQUEST', `The query parameter "${name}" is not valid percent-encoded UTF-8.`);
  }
}

function invalid(code: ErrorCodeName, message: string): DomainError {
  return new DomainError(code, message.endsWith('.') ? message : sentence`${message}.`, { kind: 'INVALID' });
}
