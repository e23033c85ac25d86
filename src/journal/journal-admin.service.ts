import type { JournalAdminService } from '../../gen/laurel/admin/v1/journal_admin_service_pb.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import type { Handlers } from '../clients/call.ts';
import { listJournalEntries } from './list-journal-entries.ts';

/** The operations on the journal of one client. */
export function journalAdminService(catalogs: Catalogs) {
  return {
    listJournalEntries: (call, request) => listJournalEntries(call, request, catalogs),
  } satisfies Handlers<typeof JournalAdminService>;
}
