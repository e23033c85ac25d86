// `npm run drill`: every way of docs/backup.md under load, with what was lost and how long it took. Here among the benchmarks,
// because what it gives are figures of this machine, and a run takes a minute or two that no test run should.
import { programsFolder, WITHOUT_PROGRAMS } from '../../test/support/server-programs.ts';
import { drill, type Found } from './drill.ts';
import { coldCopy, ownServerMethods } from './methods.ts';

const HEADINGS = ['way', 'answered', 'lost', 'RPO', 'may lose', 'RTO', 'verify', ''];

const all = [...(programsFolder === undefined ? [] : ownServerMethods), coldCopy];
// `npm run drill -- dump` tries the ways whose names have the word in them.
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
// What `verify` finds ends the drill by itself.
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
