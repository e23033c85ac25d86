import { defineEntity, p } from '@mikro-orm/core';
import type { AssignmentDetail } from '../../engine/assignment.ts';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** The progress of one account in one mission and period. The row is created by the first progress, not by the activation of a campaign. */
export const assignmentTable = defineEntity({
  name: 'AssignmentEntity',
  tableName: 'assignment',
  ...ownedByClient,
  // For the counts and the pages of a campaign's accounts. The columns of the index never change, so that updates of progress stay
  // heap-only.
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
    /** EXPIRED is allowed and never written: reads compute it from the dates. */
    status: columns.oneOf(['ACTIVE', 'COMPLETED', 'EXPIRED']),
    /** The state of streaks and caps between events. */
    state: p.json<AssignmentDetail>().nullable(),
    startedAt: columns.moment(),
    completedAt: columns.moment().nullable(),
    /** The time of the event that completed the assignment. Null in rows of 0.1.0. */
    completionOccurredAt: columns.moment().nullable(),
    updatedAt: columns.updatedAt(),
  },
});

export class AssignmentEntity extends assignmentTable.class {}
assignmentTable.setClass(AssignmentEntity);
