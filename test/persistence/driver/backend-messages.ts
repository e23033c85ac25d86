// The messages of a PostgreSQL server, according to https://www.postgresql.org/docs/18/protocol-message-formats.html. Written by hand,
// because pg's own pg-protocol writes only a client's messages, and would test itself.

/** Values of a row as text; null is NULL. */
export type Row = readonly (string | null)[];

/** A column of an answer by its name and the OID of its type. */
export type Column = readonly [name: string, typeOid: number];

/** The content of an error or a notice, by the letters of its fields. */
export type Fields = Readonly<Partial<Record<'S' | 'V' | 'C' | 'M' | 'D' | 't' | 'n' | 'R', string>>>;

export const authenticationOk = message('R', int32(0));
export const parseComplete = message('1');
export const bindComplete = message('2');
export const closeComplete = message('3');
export const noData = message('n');

export const parameterStatus = (name: string, value: string) => message('S', cString(name), cString(value));
export const backendKeyData = (processId: number, secret: number) => message('K', int32(processId), int32(secret));
export const commandComplete = (tag: string) => message('C', cString(tag));
export const errorResponse = (fields: Fields) => message('E', encodedFields(fields));
export const noticeResponse = (fields: Fields) => message('N', encodedFields(fields));

/** @param status `I` outside of a transaction, `T` in one, `E` in one that has failed */
export const readyForQuery = (status: 'I' | 'T' | 'E' = 'I') => message('Z', Buffer.from(status));

export const rowDescription = (...columns: readonly Column[]) =>
  message(
    'T',
    int16(columns.length),
    // Table, number, type, size, modifier, and 0 for the text form.
    ...columns.flatMap(([name, oid]) => [
      cString(name),
      int32(0),
      int16(0),
      int32(oid),
      int16(-1),
      int32(-1),
      int16(0),
    ]),
  );

export const dataRow = (...values: Row) =>
  message(
    'D',
    int16(values.length),
    ...values.flatMap((value) =>
      value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)],
    ),
  );

/** All messages of an answer to a statement with values, after its ParseComplete if it was parsed. */
export function answer(columns: readonly Column[], ...rows: readonly Row[]): Buffer {
  return Buffer.concat([bindComplete, result(columns, ...rows), readyForQuery()]);
}

/** The answer to a reading statement, without the end of the answer. */
export function result(columns: readonly Column[], ...rows: readonly Row[]): Buffer {
  const messages = [rowDescription(...columns), ...rows.map((row) => dataRow(...row))];
  return Buffer.concat([...messages, commandComplete(`SELECT ${rows.length}`)]);
}

function encodedFields(fields: Fields): Buffer {
  const each = Object.entries(fields).map(([letter, value]) => cString(`${letter}${value}`));
  return Buffer.concat([...each, Buffer.of(0)]);
}

function message(code: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(code), int32(body.length + 4), body]);
}

function int16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(value);
  return buffer;
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

function cString(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}
