import type { Options } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { maskedCode } from '../../../kernel/secrets/masked-code.ts';
import { CsvFault } from './csv-fault.ts';
import { lineEnds } from './line-ends.ts';

/** The columns in the first line of a file. */
export type CsvHeader = {
  readonly delimiter: string;
  /** The number of cells of every row. */
  readonly width: number;
  /** The index of each known column in a row. */
  readonly columns: ReadonlyMap<string, number>;
  /** The location of the first row. */
  readonly end: CsvLocation;
};

/** A location between two rows: the position in bytes, and the line as an editor counts, from 1. */
export type CsvLocation = { readonly position: number; readonly line: number };

/** The documented columns of a file. */
export type KnownColumns = {
  /** The column of the key. */
  readonly required: string;
  /** A column of `alsoRequired` that is part of the key, if one is. */
  readonly keyWith?: string;
  /** Further columns that a file must have. */
  readonly alsoRequired?: readonly string[];
  readonly optional: readonly string[];
  /** The names of declared attributes, each the column `attributes.<name>`. Undefined in files without attributes. */
  readonly attributes?: readonly string[];
  /** Whether the values of the required column are worth money: the message about a missing header then masks the first line. */
  readonly isSecret?: boolean;
};

/** Bytes in which the header must fit; a spreadsheet has at most 16,384 columns, ours far fewer. */
export const HEADER_MAX = 65_536;

/**
 * The syntax of rows in every file. Quotes in a cell that does not begin with one are text. Line ends may be mixed, as in concatenated
 * files.
 */
export const CSV_OPTIONS = {
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
  record_delimiter: ['\r\n', '\n', '\r'],
} as const satisfies Options;

const DELIMITERS = [',', ';', '\t'] as const;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads the header from the first bytes of a file.
 * @throws CsvFault if the file is not CSV in UTF-8, the required column is missing, or a column has an attribute that is not declared
 */
export function csvHeader(head: Buffer, known: KnownColumns): CsvHeader {
  if (head.length === 0) throw new CsvFault('The file is empty. Its first line must name the columns.');
  if (isUtf16(head)) throw new CsvFault('The file is UTF-16. Save it as "CSV UTF-8" and upload that.');
  const skipped = head.subarray(0, 3).equals(BOM) ? 3 : 0;
  const text = head.subarray(skipped, skipped + HEADER_MAX);
  const readings = DELIMITERS.map((delimiter) => reading(text, delimiter, known));
  const [first, ...others] = readings.filter(({ columns }) => columns.has(known.required));
  if (first === undefined) throw missing(readings, known);
  const best = others.reduce((a, b) => (b.width > a.width ? b : a), first);
  const absent = known.alsoRequired?.find((name) => !best.columns.has(name));
  if (absent !== undefined) throw missing([best], known, absent);
  if (known.attributes !== undefined) requireDeclared(best.names, known.attributes);
  const { position, line } = best.end;
  return { ...best, end: { position: skipped + position, line } };
}

/** The header, read with one delimiter. */
function reading(text: Buffer, delimiter: string, known: KnownColumns): CsvHeader & { readonly names: string[] } {
  const { names, end } = firstRow(text, delimiter);
  if (end >= HEADER_MAX) throw new CsvFault('The first line is longer than 64 KiB. It must name the columns.');
  const wanted = new Map(
    [known.required, ...(known.alsoRequired ?? []), ...known.optional].map((name) => [simplified(name), name]),
  );
  const columns = new Map<string, number>();
  for (const [index, sent] of names.entries()) {
    const name = attributeColumn(sent, known.attributes) ?? wanted.get(simplified(sent));
    if (name === undefined) continue;
    if (columns.has(name)) throw new CsvFault(`The column ${name} is there twice. Remove one of the two.`);
    columns.set(name, index);
  }
  const line = 1 + lineEnds(text, 0, end);
  return { delimiter, width: names.length, columns, end: { position: end, line }, names };
}

function firstRow(text: Buffer, delimiter: string): { names: string[]; end: number } {
  let end = text.length;
  const on_record = (row: string[], { bytes }: { bytes: number }) => {
    end = bytes;
    return row;
  };
  try {
    const [names = []] = parse(text, { ...CSV_OPTIONS, delimiter, to: 1, on_record });
    return { names, end };
  } catch {
    throw new CsvFault('A quote in the first line is never closed. The first line must name the columns.');
  }
}

const ATTRIBUTE = /^\s*attributes\.(.*?)\s*$/i;

/**
 * The column of a declared attribute; undefined for another one. Its name is compared exactly: two attributes may differ in case alone.
 */
function attributeColumn(sent: string, declared: readonly string[] = []): string | undefined {
  const name = ATTRIBUTE.exec(sent)?.[1];
  return name !== undefined && declared.includes(name) ? attributeColumnOf(name) : undefined;
}

/** The column of an attribute. */
export function attributeColumnOf(name: string): string {
  return `attributes.${name}`;
}

/** @throws CsvFault for the column of an attribute that is not declared */
function requireDeclared(sent: readonly string[], declared: readonly string[]): void {
  for (const column of sent) {
    const name = ATTRIBUTE.exec(column)?.[1];
    if (name === undefined || declared.includes(name)) continue;
    const shown = `attributes.${name.slice(0, 64)}`;
    if (declared.length === 0) {
      throw new CsvFault(
        `The column ${shown} is no attribute of accounts: none is declared. Declare it, or remove the column.`,
      );
    }
    const list = declared.join(', ');
    throw new CsvFault(
      `The column ${shown} is no attribute of accounts. Declared are: ${list}. Declare it, or remove the column.`,
    );
  }
}

/** The form in which names are compared: `External ID` and `external_id` become `externalId`. */
function simplified(name: string): string {
  return name.replace(/[\s_-]/g, '').toLowerCase();
}

function isUtf16(head: Buffer): boolean {
  const [a, b] = head;
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || a === 0 || b === 0;
}

function missing(
  readings: ReadonlyArray<{ names: string[]; width: number }>,
  known: KnownColumns,
  absent = known.required,
): CsvFault {
  const { names } = readings.reduce((a, b) => (b.width > a.width ? b : a));
  // A file without a header has its first row here, which may be a live code.
  const named = names.slice(0, 20).map((name) => (known.isSecret ? maskedCode(name) : name.slice(0, 40)));
  const more = names.length > named.length ? ', ...' : '';
  const list = `${named.join(', ')}${more}`;
  const optional = [...known.optional, ...(known.attributes ?? []).map(attributeColumnOf)].join(', ');
  const required = [known.required, ...(known.alsoRequired ?? [])].join(', ');
  return new CsvFault(
    `The column ${absent} is missing. The first line names: ${list}. It must name ${required}, and may name ${optional}.`,
  );
}
