import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ListImportsRequest,
  ListImportsResponseSchema,
} from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { toImportMessage } from './csv-import.ts';
import { importFromRow, importPage } from './imports.queries.ts';

/** Lists imports by page, the latest first: proto ImportAdminService.ListImports. */
export function listImports(
  { db, principal }: Call,
  request: ListImportsRequest,
): Promise<MessageInitShape<typeof ListImportsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const page = await importPage(uow, request);
    return { ...page, rows: page.rows.map((row) => toImportMessage(importFromRow(row))) };
  });
}
