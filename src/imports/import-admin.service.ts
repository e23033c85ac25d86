import type { ImportAdminService } from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { cancelImport } from './cancel-import.ts';
import { createImport } from './create-import.ts';
import { downloadRefusals } from './download-refusals.ts';
import { getImport } from './get-import.ts';
import type { ImportQuota } from './import-quota.ts';
import { reverseImport } from './events/reverse-import.ts';
import type { ImportWorker } from './worker/import-worker.ts';
import { listImports } from './list-imports.ts';
import { summarizeRefusals } from './summarize-refusals.ts';
import { uploadImport } from './upload-import.ts';
import type { Handlers } from '../clients/call.ts';

/** The operations on imports of one client. `worker` is woken when a file is complete. */
export function importAdminService(worker: Pick<ImportWorker, 'wake'>, quota: ImportQuota) {
  return {
    createImport: (call, request) => createImport(call, request, quota),
    uploadImport: (call, requests) => {
      call.afterResponse(() => worker.wake());
      return uploadImport(call, requests, quota);
    },
    getImport,
    listImports,
    cancelImport,
    reverseImport: (call, request) => reverseImport(call, request, worker),
    downloadRefusals,
    summarizeRefusals,
  } satisfies Handlers<typeof ImportAdminService>;
}
