import { whole } from '../report.ts';
import type { Forgetting } from './costs.ts';
import type { Memory } from './memory.ts';
import type { Cost } from './meters.ts';
import { allBytes, type TableSize } from './sizes.ts';

/** The costs of one piece of each kind of work, as a Markdown table. */
export function costTable(costs: readonly Cost[]): string {
  const rows = costs.map(({ name, count, serviceMicros, postgresMicros, walBytes, fullPages, grown }) => {
    const bytes = [...grown.values()].map((size) => [size.table, allBytes(size) / count] as const);
    const stored = bytes.reduce((sum, [, each]) => sum + each, 0);
    const most = bytes.filter(([, each]) => each >= 5).toSorted(([, a], [, b]) => b - a);
    const tables = most.map(([table, each]) => `${table} ${whole(each)}`).join(', ');
    const figures = [count, serviceMicros, postgresMicros, walBytes, stored].map(whole);
    return [name, ...figures.slice(0, 4), fullPages.toFixed(2), figures[4]!, tables];
  });
  return table(
    ['what', 'measured', 'service, µs', 'PostgreSQL, µs', 'WAL, bytes', 'whole pages', 'stored, bytes', 'where'],
    rows,
  );
}

/** The bytes of a row in each table, with each of its indexes, as a Markdown table. */
export function sizeTable(sizes: ReadonlyMap<string, TableSize>): string {
  const rows = [...sizes.values()].filter(({ rows: count }) => count >= 1_000);
  return table(
    ['table', 'rows', 'bytes a row', 'of it the row', 'and its indexes'],
    rows.map((size) => {
      const indexes = [...size.indexes].map(([name, bytes]) => `${name} ${whole(bytes / size.rows)}`);
      const each = [size.rows, allBytes(size) / size.rows, size.bytes / size.rows].map(whole);
      return [size.table, ...each, indexes.join(', ')];
    }),
  );
}

/** The sizes of the tables with retention, as a Markdown table. */
export function forgettingTable(forgetting: readonly Forgetting[]): string {
  return table(
    ['table', 'rows', 'MB full', 'MB when all is forgotten', 'MB when as many are there again'],
    forgetting.map(({ table: name, full, forgotten, again }) => [
      name,
      whole(full.rows),
      ...[full, forgotten, again].map((size) => (allBytes(size) / 1e6).toFixed(1)),
    ]),
  );
}

/** The memory of a process, as a Markdown table. */
export function memoryTable(memory: readonly Memory[]): string {
  let clients = 0;
  return table(
    ['clients', 'of them in memory', 'definitions', 'process, MiB', 'heap in use, MiB'],
    memory.map((each) => {
      clients += each.clients;
      const mib = [each.resident, each.heap].map((bytes) => (bytes / 2 ** 20).toFixed(0));
      return [whole(clients), whole(each.clients), whole(each.definitions), ...mib];
    }),
  );
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, headings.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
