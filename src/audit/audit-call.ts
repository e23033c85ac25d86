import type { Database } from '../persistence/database.ts';

/** What of a call this module, which is below the clients', may know. */
export type AuditCall = { readonly db: Database; readonly principal: { readonly clientId: string } };
