import { lookUpByKey } from '../persistence/key-lookup.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsAbout, rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { triggerReversalTable } from './reversals/trigger-reversal.entity.ts';
import { dropSuspended } from './suspended/release-suspended.ts';
import { suspendedTriggerTable } from './suspended/suspended-trigger.entity.ts';
import { triggerInboxTable } from './inbox/trigger-inbox.entity.ts';

/** This module's data about an account: its waiting events, its dead triggers, its events while it is suspended, and the reversed amounts of its events. */
export const triggerParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'reversals',
    table: triggerReversalTable,
    order: ['batchId', 'entry'],
    erasure: {
      kind: 'atOnce',
      async erase(uow, { accountId }) {
        // The account is locked, so its rows do not change meanwhile.
        await uow.query(
          `delete from trigger_reversal r using ${lookUpByKey({
            select: 'ctid as row_ctid',
            from: 'trigger_reversal',
            key: { account_id: '$2::uuid' },
            many: true,
          })} own where r.client_id = $1 and r.ctid = own.row_ctid`,
          [uow.clientId, accountId],
        );
      },
    },
    merging: { kind: 'stays', why: 'They belong to entries of the journal, which stay.' },
  }),
  rowsOfAccount({
    name: 'suspendedEvents',
    table: suspendedTriggerTable,
    order: ['id'],
    erasure: {
      kind: 'atOnce',
      async erase(uow, { accountId }) {
        await dropSuspended(uow, accountId);
      },
    },
    merging: { kind: 'stays', why: 'A suspended account cannot be merged.' },
  }),
  rowsAbout({
    name: 'waitingEvents',
    table: triggerInboxTable,
    isAbout: `t.account_id = case when t.id_type = 'EXTERNAL' then $4::text else $3::text end`,
    erasure: {
      // Runs before the account is locked, because workers lock the rows of events first and the account second. A waiting event would
      // otherwise create another account with the same external id.
      kind: 'atOnce',
      beforeHeld: true,
      async erase(uow, { accountId, externalId }) {
        await uow.query(
          `delete from trigger_inbox
            where client_id = $1 and account_id = case when id_type = 'EXTERNAL' then $3 else $2 end`,
          [uow.clientId, accountId, externalId ?? null],
        );
      },
    },
    merging: { kind: 'stays', why: 'They name the account, and the name leads to the one that stays.' },
  }),
];
