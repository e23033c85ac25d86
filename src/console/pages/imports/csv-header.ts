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

/** The columns of a file, compared with those that the service reads. */
export type ComparedColumns = {
  /** The columns that it reads. */
  readonly found: readonly string[];
  /** Columns of attributes that are not declared: the service refuses the file. */
  readonly undeclared: readonly string[];
  /** The columns that it ignores. */
  readonly passedOver: readonly string[];
};

/**
 * Compares the columns of a file's header with those that the service reads.
 * @param attributes whether the file may have attributes, `attributes.<name>`
 */
export function compareColumns(
  columns: readonly string[],
  known: readonly string[],
  attributes: boolean,
): ComparedColumns {
  const isAttribute = (name: string) => attributes && ATTRIBUTE.test(name);
  // The names of attributes are compared exactly: two may differ in case alone.
  const formOf = (name: string) => (isAttribute(name) ? name.replace(ATTRIBUTE, 'attributes.') : name.toLowerCase());
  const names = new Set(columns.map(formOf));
  const knownNames = new Set(known.map(formOf));
  const others = columns.filter((name) => name !== '' && !knownNames.has(formOf(name)));
  return {
    found: known.filter((name) => names.has(formOf(name))),
    undeclared: others.filter(isAttribute),
    passedOver: others.filter((name) => !isAttribute(name)),
  };
}

const ATTRIBUTE = /^attributes\./i;

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
