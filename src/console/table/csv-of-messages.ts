import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import { StructSchema } from '@bufbuild/protobuf/wkt';

/** Marks a file as UTF-8 for spreadsheets, which otherwise guess. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Rows of a list as CSV: a column for each field, called as the API calls it, lists and parts of a row as JSON. A field with values by name
 * has a column for each name, as the exports of the service have: `attributes.tier`. A value that a spreadsheet would take for a formula
 * gets an apostrophe in front, as in those exports.
 */
export function csvOfMessages(message: DescMessage | undefined, rows: readonly unknown[]): string {
  if (message === undefined) return csvLines([]);
  const json = rows.map((row) => toJson(message, row as Message, { alwaysEmitImplicit: true }) as JsonObject);
  const columns = message.fields.flatMap((field) => columnsOf(field, json));
  return csvLines([columns.map(({ title }) => title), ...json.map((row) => columns.map(({ read }) => read(row)))]);
}

/** Lines of cells as CSV, for spreadsheets. Empty for a missing value; a list or part is JSON. */
export function csvLines(lines: readonly (readonly (JsonValue | undefined)[])[]): string {
  return BYTE_ORDER_MARK + lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

type Column = { readonly title: string; readonly read: (row: JsonObject) => JsonValue | undefined };

function columnsOf({ jsonName: field, message }: DescField, rows: readonly JsonObject[]): Column[] {
  if (message?.typeName !== StructSchema.typeName) return [{ title: field, read: (row) => row[field] }];
  const valuesOf = (row: JsonObject) => (row[field] ?? {}) as JsonObject;
  const names = new Set(rows.flatMap((row) => Object.keys(valuesOf(row))));
  return [...names].map((name) => ({ title: `${field}.${name}`, read: (row) => valuesOf(row)[name] }));
}

function cellOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
