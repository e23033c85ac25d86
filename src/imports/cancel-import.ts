import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CancelImportRequest,
  type CancelImportResponseSchema,
  ImportAdminService,
} from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { ImportSchema } from '../../gen/laurel/admin/v1/import_pb.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Call } from '../clients/call.ts';
import { DomainError } from '../kernel/domain-error.ts';
import { told } from '../kernel/told.ts';
import { toImportMessage } from './csv-import.ts';
import { endImport, requireImport } from './imports.queries.ts';

/**
 * Stops an import for good: proto ImportAdminService.CancelImport. Waits for the batch that is being applied; the next one
 * does not begin. What is stored of the file is deleted by housekeeping.
 */
export function cancelImport(
  { db, principal, now }: Call,
  { id }: CancelImportRequest,
): Promise<MessageInitShape<typeof CancelImportResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const present = await requireImport(uow, id, { forChange: true });
    if (present.status === 'CANCELLED') return { import: toImportMessage(present) };
    if (present.finishedAt !== undefined) throw hasEnded(present.status);
    const cancelled = toImportMessage(await endImport(uow, id, { status: 'CANCELLED', now }));
    await recordChange(uow, principal, {
      operation: ImportAdminService.method.cancelImport,
      schema: ImportSchema,
      id,
      before: toImportMessage(present),
      after: cancelled,
    });
    return { import: cancelled };
  });
}

function hasEnded(status: string): DomainError {
  return new DomainError('IMPORT_ENDED', told`The import is ${status} already: there is nothing to stop.`);
}
