import { type DescMessage, type Message, toJson } from '@bufbuild/protobuf';

/** Marks a file as UTF-8 for spreadsheets, which otherwise guess. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Rows of a list as CSV: a column for each field, called as the API calls it, lists and parts of a row as JSON. A value
 * that a spreadsheet would take for a formula gets an apostrophe in front, as in the exports of the service.
 */
export function csvOfMessages(message: DescMessage | undefined, rows: readonly unknown[]): string {
  if (message === undefined) return BYTE_ORDER_MARK;
  const fields = message.fields.map(({ jsonName }) => jsonName);
  const lines = rows.map((row) => {
    const json = toJson(message, row as Message, { alwaysEmitImplicit: true }) as Readonly<Record<string, unknown>>;
    return fields.map((field) => cellOf(json[field]));
  });
  return BYTE_ORDER_MARK + [fields, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
