import { keptRows, unitedRows } from '../persistence/subjects/merged-rows.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { assignmentTable } from './assignments/assignment.entity.ts';
import { campaignCompletionTable } from './completion/campaign-completion.entity.ts';

const ANONYMOUS = { kind: 'stays', why: 'What was played, under an id that names nobody any more.' } as const;

/** This module's data about an account. */
export const campaignParts: readonly AccountPart[] = [
  rowsOfAccount({
    name: 'missions',
    table: assignmentTable,
    order: ['missionId', 'periodKey'],
    erasure: ANONYMOUS,
    merging: keptRows(assignmentTable, { changedBy: 'an event' }),
  }),
  rowsOfAccount({
    name: 'campaigns',
    table: campaignCompletionTable,
    order: ['campaignId'],
    erasure: ANONYMOUS,
    merging: unitedRows(campaignCompletionTable, {
      key: ['campaignId'],
      onBoth:
        'completed_at = least(t.completed_at, excluded.completed_at), closed_at = least(t.closed_at, excluded.closed_at)',
      changedBy: 'a closing',
    }),
  }),
];
