/** The columns in the beginning of a CSV file, before it is sent. */
export type CsvHeader = {
  /** The names of its columns, as they stand there. */
  readonly columns: readonly string[];
  /** The text is not UTF-8: letters would be lost. */
  readonly unreadable: boolean;
};

/** Bytes that are looked at: a header is some hundred. */
const LOOKED_AT = 65_536;

/** Reads the header line of a file as the service will. The service's own word comes after the upload. */
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

/** Of a file's header: which known columns it has, which it lacks, and which will be passed over. */
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
