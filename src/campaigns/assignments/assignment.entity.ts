import { defineEntity, p } from '@mikro-orm/core';
import type { AssignmentDetail } from '../../engine/assignment.ts';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** How far one account is in one mission and period. Written with the first progress, not when a campaign is activated. */
export const assignmentTable = defineEntity({
  name: 'AssignmentEntity',
  tableName: 'assignment',
  ...ownedByClient,
  // How far the accounts of a campaign are, and who they are, page by page. None of the columns ever changes, so that progress
  // is still written in place.
  indexes: [{ name: 'assignment_mission_account', properties: ['clientId', 'missionId', 'accountId'] }],
  properties: {
    clientId: columns.clientId(),
    accountId: columns.reference().primary(),
    missionId: columns.reference().primary(),
    /** The calendar period of a ROUTINE; empty for the others. */
    periodKey: columns.byteExactText().primary().default(''),
    /** Derived from mission, account and period, so that it is known before the row exists. */
    id: columns.reference(),
    progress: columns.amount(),
    /** EXPIRED is allowed and never written: it follows from the dates when somebody looks. */
    status: columns.oneOf(['ACTIVE', 'COMPLETED', 'EXPIRED']),
    /** The state of streaks and caps between events. */
    state: p.json<AssignmentDetail>().nullable(),
    startedAt: columns.moment(),
    completedAt: columns.moment().nullable(),
    /** When the event occurred that completed it. Null in rows of 0.1.0. */
    completionOccurredAt: columns.moment().nullable(),
    updatedAt: columns.updatedAt(),
  },
});

export class AssignmentEntity extends assignmentTable.class {}
assignmentTable.setClass(AssignmentEntity);
