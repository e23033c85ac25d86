import type { UnitOfWork } from '../persistence/database.ts';
import { CAUSES_MAX, type AttentionItem } from '../activity/causes.ts';
import type { CsvImport } from './csv-import.ts';

/** The most imports to check, and their greatest age. */
const IMPORTS_MAX = 200;
const OLDEST_MS = 7 * 86_400_000;

/** The failed imports without a later successful repetition, the latest first. */
export async function failedImports(uow: UnitOfWork, now: Date): Promise<readonly AttentionItem[]> {
  type Row = Pick<CsvImport, 'id' | 'type' | 'status' | 'fileName' | 'finishedAt'>;
  const rows = await uow.query<Row>(
    `select id, type, status, file_name as "fileName", finished_at as "finishedAt" from csv_import
      where client_id = $1 and created_at >= $2 order by client_id desc, created_at desc, id desc limit ${IMPORTS_MAX}`,
    [uow.clientId, new Date(now.getTime() - OLDEST_MS)],
  );
  const made = new Set<string>();
  const failed: AttentionItem[] = [];
  for (const { id, type, status, fileName, finishedAt } of rows) {
    const file = `${type} ${fileName}`;
    if (status === 'FAILED' && !made.has(file))
      failed.push({ about: id, subjectId: id, subject: fileName, since: finishedAt, severity: 'WARNING' });
    if (status === 'DONE') made.add(file);
  }
  return failed.slice(0, CAUSES_MAX);
}
