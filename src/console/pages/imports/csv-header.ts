/** The columns in the beginning of a CSV file, before it is sent. */
export type CsvHeader = {
  /** The names of its columns, unchanged. */
  readonly columns: readonly string[];
  /** The text is not UTF-8: letters would be lost. */
  readonly unreadable: boolean;
};

/** Bytes that are looked at: a header is some hundred. */
const LOOKED_AT = 65_536;

/** Reads the header line of a file like the service. The service's own check follows after the upload. */
export async function readCsvHeader(file: Blob): Promise<CsvHeader> {
  const bytes = await file.slice(0, LOOKED_AT).arrayBuffer();
  try {
    // A letter of several bytes may be cut at the end; `stream` lets that pass. The decoder drops a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return { columns: columnsOf(text.split(/\r\n|\n|\r/, 1)[0] ?? ''), unreadable: false };
  } catch {
    return { columns: [], unreadable: true };
  }
}

/** Sorts the columns of a file's header into known, missing and ignored ones. */
export function compareColumns(columns: readonly string[], known: readonly string[]) {
  const names = new Set(columns.map((name) => name.toLowerCase()));
  const knownNames = new Set(known.map((name) => name.toLowerCase()));
  return {
    found: known.filter((name) => names.has(name.toLowerCase())),
    passedOver: columns.filter((name) => name !== '' && !knownNames.has(name.toLowerCase())),
  };
}

function columnsOf(line: string): string[] {
  const separators = [',', ';', '\t'];
  const counts = separators.map((separator) => line.split(separator).length);
  const separator = separators[counts.indexOf(Math.max(...counts))] ?? ',';
  return line.split(separator).map((name) =>
    name
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .trim(),
  );
}
