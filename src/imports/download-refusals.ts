import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  DownloadRefusalsRequest,
  DownloadRefusalsResponseSchema,
} from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import type { Call } from '../clients/call.ts';
import type { CsvImport } from './csv-import.ts';
import { BYTE_ORDER_MARK, csvText } from './files/csv/csv-text.ts';
import { requireImport } from './imports.queries.ts';
import { type Refusal, REFUSALS_MAX, refusalsAfter } from './refusals.queries.ts';

/** Refusals read in one transaction. */
const PAGE = 5_000;

/** Gives the refused rows so far as CSV: proto ImportAdminService.DownloadRefusals. */
export async function* downloadRefusals(
  { db, principal: { clientId } }: Call,
  { id }: DownloadRefusalsRequest,
): AsyncIterable<MessageInitShape<typeof DownloadRefusalsResponseSchema>> {
  const source = await db.unitOfWork(clientId, (uow) => requireImport(uow, id));
  yield { data: Buffer.from(BYTE_ORDER_MARK + csvText([['line', 'key', 'reason']])) };
  let position = -1;
  for (;;) {
    const page = await db.unitOfWork(clientId, (uow) => refusalsAfter(uow, source.id, { position, limit: PAGE }));
    yield { data: Buffer.from(csvText(page.map(({ line, key, reason }) => [line, key, reason]))) };
    const last: Refusal | undefined = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    position = last.position;
  }
  const rest = notNamed(source);
  if (rest > 0) yield { data: Buffer.from(csvText([[null, '', `${rest} more rows were refused.`]])) };
}

function notNamed({ rows }: CsvImport): number {
  return rows.refused - REFUSALS_MAX;
}
