// `npm run drill`: every method of docs/backup.md under load, with its loss and its duration. It is part of the benchmarks, because its
// results are figures of this machine, and a run takes a minute or two, too long for tests.
import { programsFolder, WITHOUT_PROGRAMS } from '../../test/support/server-programs.ts';
import { drill, type Found } from './drill.ts';
import { coldCopy, ownServerMethods } from './methods.ts';

const HEADINGS = ['way', 'answered', 'lost', 'RPO', 'may lose', 'RTO', 'verify', ''];

const all = [...(programsFolder === undefined ? [] : ownServerMethods), coldCopy];
// `npm run drill -- dump` runs the methods with the word in their names.
const methods = all.filter(({ name }) => name.includes(process.argv[2] ?? ''));
if (programsFolder === undefined) console.log(`Only the embedded PostgreSQL is tried. ${WITHOUT_PROGRAMS}`);

const found: Found[] = [];
for (const method of methods) {
  console.log(`${method.name} ...`);
  found.push(await drill(method));
}
const rows = [HEADINGS, ...found.map(rowOf)];
const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
for (const row of rows)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
// A finding of `verify` ends the drill with an error already.
process.exitCode = found.every(({ kept }) => kept) ? 0 : 1;

function rowOf({ method, answered, lost, lostSeconds, recoverySeconds, verified, kept }: Found): string[] {
  const seconds = (value: number) => `${value.toFixed(1)} s`;
  return [
    method.name,
    String(answered),
    String(lost),
    seconds(lostSeconds),
    method.promise,
    seconds(recoverySeconds),
    verified,
    kept ? 'kept' : 'MORE LOST THAN PROMISED',
  ];
}
