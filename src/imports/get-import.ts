import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetImportRequest, GetImportResponseSchema } from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { toImportMessage } from './csv-import.ts';
import { requireImport } from './imports.queries.ts';

/** Returns one import: proto ImportAdminService.GetImport. */
export function getImport(
  { db, principal }: Call,
  { id }: GetImportRequest,
): Promise<MessageInitShape<typeof GetImportResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({ import: toImportMessage(await requireImport(uow, id)) }));
}
