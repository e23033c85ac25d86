import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsAbout } from '../persistence/subjects/rows-of-account.ts';
import { auditEntryTable } from './audit-entry.entity.ts';

/** This module's data about an account: the changes by administrators to it, or to resources that name it. */
export const auditParts: readonly AccountPart[] = [
  rowsAbout({
    name: 'auditEntries',
    table: auditEntryTable,
    isAbout: `(t.resource_id = $3::text or position($3::text in concat(t.before, t.after, t.note)) > 0)`,
    erasure: {
      kind: 'stays',
      why: 'Nobody can change an entry: they tell what operators did, by id, and go after LAUREL_AUDIT_RETENTION_DAYS.',
    },
    merging: { kind: 'stays', why: 'They tell what operators did, by id.' },
  }),
];
