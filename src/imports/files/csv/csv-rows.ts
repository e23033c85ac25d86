import { isUtf8 } from 'node:buffer';
import { type CsvError, Parser } from 'csv-parse';
import { sentence, type Sentence } from '../../../kernel/sentence.ts';
import { CsvFault } from './csv-fault.ts';
import { CSV_OPTIONS, type CsvHeader, type CsvLocation } from './csv-header.ts';
import { CR, LF, lineEnds } from './line-ends.ts';

/** A row of a file. A row of empty cells is skipped. */
export type CsvRow = {
  readonly cells: readonly string[];
  /** The positions of its begin and end in the file, in bytes. */
  readonly position: number;
  readonly end: number;
  /** The line of its begin, and the line of the next row's begin; as an editor counts, from 1. */
  readonly line: number;
  readonly nextLine: number;
  /** The reason why its cells are unreliable. */
  readonly fault: Sentence | undefined;
};

/** Reads the rows of a file as its bytes arrive. */
export type CsvRowReader = {
  /** The rows that end in these bytes. */
  write(bytes: Buffer): Promise<CsvRow[]>;
  /** The last row, if the file does not end with a line end. */
  end(): Promise<CsvRow[]>;
};

/** The most bytes of a row; a longer one has an unclosed quote, and its rest cannot be interpreted. */
const ROW_MAX = 16 * 1_024 * 1_024;

/**
 * The reader of the rows from `start` on.
 * @throws CsvFault, from both functions, if rows cannot be separated any more
 */
export function csvRowReader({ delimiter, width }: CsvHeader, start: CsvLocation): CsvRowReader {
  let { line } = start;
  // The bytes that are not processed yet: the first is at `origin` in the file, and the next row begins at index `at`.
  let seen: Buffer = Buffer.alloc(0);
  let origin = start.position;
  let at = 0;
  let rows: CsvRow[] = [];
  const parser = new Parser({
    ...CSV_OPTIONS,
    delimiter,
    on_record(cells: string[], { bytes }) {
      take(cells, start.position + bytes);
      // No object is passed down the stream: one per row would take most of the time.
      return undefined;
    },
  });
  // The writer receives errors; without a listener they would also end the process.
  parser.on('error', () => {});

  function take(cells: readonly string[], end: number): void {
    const from = at + emptyLines(seen, at);
    const to = end - origin;
    const begin = { position: origin + from, line: line + lineEnds(seen, at, from) };
    line = begin.line + lineEnds(seen, from, to);
    at = to;
    if (cells.every((cell) => cell === '')) return;
    const fault = faultOf(cells, () => seen.subarray(from, to), width);
    rows.push({ ...begin, cells, end, nextLine: line, fault });
  }

  function taken(): CsvRow[] {
    const result = rows;
    rows = [];
    return result;
  }

  return {
    async write(bytes) {
      seen = at === seen.length ? bytes : Buffer.concat([seen.subarray(at), bytes]);
      origin += at;
      at = 0;
      await new Promise<void>((resolve, reject) => {
        parser.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
      if (seen.length - at > ROW_MAX) {
        throw new CsvFault(`The row that begins in line ${line} is longer than 16 MiB. Is a quote in it not closed?`);
      }
      return taken();
    },
    async end() {
      await new Promise<void>((resolve, reject) => {
        parser.once('error', reject).once('end', resolve).resume().end();
      }).catch((error: CsvError) => {
        if (error.code !== 'CSV_QUOTE_NOT_CLOSED') throw error;
        throw new CsvFault(`In the row that begins in line ${line}, a quote is opened and never closed. Close it.`);
      });
      return taken();
    },
  };
}

function faultOf(cells: readonly string[], raw: () => Buffer, width: number): Sentence | undefined {
  if (cells.some((cell) => cell.includes('\uFFFD')) && !isUtf8(raw())) {
    return sentence`The row is not valid UTF-8. Save the file as "CSV UTF-8".`;
  }
  // A parsed cell with a leading quote was written with three quotes; any other was closed before its end and keeps its text.
  if (cells.some((cell) => cell.startsWith('"')) && !raw().includes('"""')) {
    return sentence`A quoted cell goes on after its closing quote. Write quotes inside of a cell twice.`;
  }
  if (cells.length !== width) return sentence`The row has ${cells.length} cells, the header has ${width}.`;
  return undefined;
}

/** The number of bytes of empty lines from `from`. */
function emptyLines(bytes: Buffer, from: number): number {
  let length = 0;
  while (bytes[from + length] === LF || bytes[from + length] === CR) length += 1;
  return length;
}
