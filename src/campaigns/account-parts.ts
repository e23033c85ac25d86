import { keptRows, movedRows, removeRows, unitedRows } from '../persistence/subjects/merged-rows.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { rowsOfAccount } from '../persistence/subjects/rows-of-account.ts';
import { assignmentTable } from './assignments/assignment.entity.ts';
import { mergedReviews } from './streak-risks/merge-reviews.ts';
import { streakRiskTable } from './streak-risks/streak-risk.entity.ts';
import { mergedLedgers } from './freezes/merge-freezes.ts';
import { streakFreezeTable } from './freezes/streak-freeze.entity.ts';
import { vacationTable } from './vacations/vacation.entity.ts';
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
    name: 'streakFreezes',
    table: streakFreezeTable,
    order: ['id'],
    erasure: {
      kind: 'stays',
      why: 'The ledger, under an id that names nobody any more; reasons are what operators wrote.',
    },
    merging: mergedLedgers,
  }),
  rowsOfAccount({
    name: 'vacations',
    table: vacationTable,
    order: ['id'],
    erasure: { kind: 'atOnce', erase: (uow, { accountId }) => removeRows(uow, 'vacation', [accountId]) },
    merging: movedRows(vacationTable, { changedBy: 'vacations' }),
  }),
  rowsOfAccount({
    name: 'streakRisks',
    table: streakRiskTable,
    order: ['missionId'],
    erasure: {
      kind: 'stays',
      why: 'When a run is reviewed next; the review removes the rows of an account that is gone.',
    },
    merging: mergedReviews,
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
