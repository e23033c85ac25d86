import type { Database } from '../persistence/database.ts';

/** The part of a call that this module needs; it is below the clients module. */
export type AuditCall = { readonly db: Database; readonly principal: { readonly clientId: string } };
