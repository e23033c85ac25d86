import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { newId } from '../../src/kernel/ids.ts';

/** A row of a platform's user base: an id, an e-mail, a name and a time zone. */
function accountRow(index: number): [externalId: string, email: string, name: string, timeZone: string] {
  const number = (index * 7_919) % 10_000_019;
  return [`user-${number}`, `user${number}@example.com`, `Ada Lovelace ${number}`, ZONES[index % ZONES.length]!];
}

const ZONES = ['Europe/Madrid', 'America/Bogota', 'UTC', 'Asia/Tokyo'] as const;

/** Writes the file to import. */
export function writeCsv(path: string, count: number): Promise<void> {
  return writeLines(path, 'externalId,email,name,timeZone\n', count, (index) => `${accountRow(index).join(',')}\n`);
}

/** Writes the same accounts of one client in the format of PostgreSQL's COPY, in the order of {@link COPY_COLUMNS}. */
export function writeCopyFile(path: string, count: number, clientId: string): Promise<void> {
  return writeLines(path, '', count, (index) => `${clientId}\t${newId()}\t${accountRow(index).join('\t')}\n`);
}

/** The columns of a line from {@link writeCopyFile}. */
export const COPY_COLUMNS = 'client_id, id, external_id, email, name, time_zone';

async function writeLines(path: string, head: string, count: number, line: (index: number) => string): Promise<void> {
  const file = createWriteStream(path);
  file.write(head);
  for (let from = 0; from < count; from += 1_000) {
    const size = Math.min(1_000, count - from);
    const lines = Array.from({ length: size }, (_, index) => line(from + index)).join('');
    if (!file.write(lines)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  // PostgreSQL runs as another user if this process is root.
  await chmod(path, 0o644);
}
