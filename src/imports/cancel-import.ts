import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CancelImportRequest,
  type CancelImportResponseSchema,
  ImportAdminService,
} from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { ImportSchema } from '../../gen/laurel/admin/v1/import_pb.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Call } from '../clients/call.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import { toImportMessage } from './csv-import.ts';
import { endImport, requireImport } from './imports.queries.ts';
import { deleteFile } from './staged-files.queries.ts';

/**
 * Stops an import for good: proto ImportAdminService.CancelImport. Waits for the current batch; the next one does not
 * begin. The stored file no longer counts for the quota and is deleted after the answer; a scheduled job deletes the
 * rest.
 */
export async function cancelImport(
  call: Call,
  { id }: CancelImportRequest,
): Promise<MessageInitShape<typeof CancelImportResponseSchema>> {
  const { db, principal, now } = call;
  const answer = await db.unitOfWork(principal.clientId, async (uow) => {
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
  call.afterResponse(() => void deleteFile(db, principal.clientId, id).catch(() => {}));
  return answer;
}

function hasEnded(status: string): DomainError {
  return new DomainError('IMPORT_ENDED', sentence`The import is ${status} already: there is nothing to stop.`);
}
