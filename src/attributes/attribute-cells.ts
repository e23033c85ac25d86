import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import { badRequest } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import type { AttributeDefinition, AttributeType } from './attribute-definition.ts';

/** The form of a type in CSV cells. */
type CellForm = {
  /** The JSON of a cell. A text that is none of the type stays a text, which its declaration then refuses. */
  read(cell: string, field: string): JsonValue;
  /** Whether a stored value is of the type. */
  is(value: JsonValue): boolean;
};

const isText = (value: JsonValue) => typeof value === 'string';
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const forms: Readonly<Record<AttributeType, CellForm>> = {
  STRING: { read: (cell) => cell, is: isText },
  NUMBER: { read: (cell) => (NUMBER.test(cell) ? Number(cell) : cell), is: (value) => typeof value === 'number' },
  BOOLEAN: {
    read(cell) {
      // Spreadsheets write TRUE and FALSE.
      const word = cell.toLowerCase();
      return word === 'true' || word === 'false' ? word === 'true' : cell;
    },
    is: (value) => typeof value === 'boolean',
  },
  TIMESTAMP: { read: (cell) => cell, is: isText },
  STRING_LIST: {
    read(cell, field) {
      try {
        return JSON.parse(cell);
      } catch {
        throw badRequest(sentence`${field} must be a list in JSON, for example ["vegan", "hot"].`);
      }
    },
    is: Array.isArray,
  },
};

/**
 * The attributes in the cells of a row, as JSON that is not checked against their declarations yet.
 * @param cells texts that are not empty, by name
 * @throws DomainError `BAD_REQUEST` for a list that is no JSON
 */
export function attributesOfCells(
  cells: ReadonlyMap<string, string>,
  declared: readonly AttributeDefinition[],
  field: string,
): JsonObject {
  const types = new Map(declared.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    [...cells].map(([name, cell]) => [name, forms[types.get(name) ?? 'STRING'].read(cell, `${field}.${name}`)]),
  );
}

/**
 * A stored value as a CSV cell: a text or a number as it is, any other as JSON. Undefined for a missing value, and for one of an earlier
 * type, which expressions and lists do not see either.
 */
export function attributeCell(
  value: JsonValue | undefined,
  { type }: AttributeDefinition,
): string | number | undefined {
  if (value === undefined || !forms[type].is(value)) return undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}
