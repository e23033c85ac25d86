import type { ServiceImpl } from '@connectrpc/connect';
import type { ImportAdminService } from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import { afterResponse } from '../kernel/after-response.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../persistence/database.ts';
import { cancelImport } from './cancel-import.ts';
import { createImport } from './create-import.ts';
import { downloadRefusals } from './download-refusals.ts';
import { getImport } from './get-import.ts';
import type { ImportWorker } from './worker/import-worker.ts';
import { listImports } from './list-imports.ts';
import { uploadImport } from './upload-import.ts';

/** Files that are loaded for one client. `worker` is told of those that are complete. */
export function importAdminService(db: Database, clock: Clock, worker: Pick<ImportWorker, 'wake'>) {
  return {
    createImport: (request, context) => createImport(db, principalOf(context), request, clock()),
    uploadImport: (requests, context) => {
      afterResponse(context, () => worker.wake());
      return uploadImport(db, principalOf(context), requests, clock);
    },
    getImport: (request, context) => getImport(db, principalOf(context), request),
    listImports: (request, context) => listImports(db, principalOf(context), request),
    cancelImport: (request, context) => cancelImport(db, principalOf(context), request, clock()),
    downloadRefusals: (request, context) => downloadRefusals(db, principalOf(context), request),
  } satisfies ServiceImpl<typeof ImportAdminService>;
}
