import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type DownloadRefusalsRequest,
  type DownloadRefusalsResponseSchema,
  ImportAdminService,
} from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { ImportSchema } from '../../gen/laurel/admin/v1/import_pb.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Call } from '../clients/call.ts';
import { hasPermission } from '../clients/permissions.ts';
import { maskedCode } from '../kernel/secrets/masked-code.ts';
import type { CsvImport } from './csv-import.ts';
import { BYTE_ORDER_MARK, csvText } from './files/csv/csv-text.ts';
import { requireImport } from './imports.queries.ts';
import { type RefusedRow, REFUSALS_MAX, refusalsAfter } from './refusals.queries.ts';

/** Refusals per transaction. */
const PAGE = 5_000;

/**
 * Returns the refused rows so far as CSV: proto ImportAdminService.DownloadRefusals. Codes are masked for roles that may not reveal them; a
 * download of whole codes is recorded in the audit log, like an export.
 */
export async function* downloadRefusals(
  { db, principal }: Call,
  { id }: DownloadRefusalsRequest,
): AsyncIterable<MessageInitShape<typeof DownloadRefusalsResponseSchema>> {
  const { clientId } = principal;
  const isWhole = hasPermission(principal, 'REVEAL_CODES');
  const source = await db.unitOfWork(clientId, async (uow) => {
    const found = await requireImport(uow, id);
    // The data does not change; the entry names the file whose codes were downloaded whole.
    const operation = ImportAdminService.method.downloadRefusals;
    if (holdsCodes(found) && isWhole)
      await recordChange(uow, principal, { operation, schema: ImportSchema, id: found.id });
    return found;
  });
  const shown = (key: string) => (isWhole || !holdsCodes(source) || key === '' ? key : maskedCode(key));
  yield { data: Buffer.from(BYTE_ORDER_MARK + csvText([['line', 'key', 'reason']])) };
  let position = -1;
  for (;;) {
    const page = await db.unitOfWork(clientId, (uow) => refusalsAfter(uow, source.id, { position, limit: PAGE }));
    yield { data: Buffer.from(csvText(page.map(({ line, key, reason }) => [line, shown(key), reason]))) };
    const last: RefusedRow | undefined = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    position = last.position;
  }
  const rest = notNamed(source);
  if (rest > 0) yield { data: Buffer.from(csvText([[null, '', `${rest} more rows were refused.`]])) };
}

function notNamed({ rows }: CsvImport): number {
  return rows.refused - REFUSALS_MAX;
}

/** Whether the keys of the file's rows are codes. */
export function holdsCodes({ type }: Pick<CsvImport, 'type'>): boolean {
  return type === 'PRODUCT_CODES';
}
