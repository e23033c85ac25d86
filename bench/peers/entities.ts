import { defineEntity, p } from '@mikro-orm/core';
import type { ProgressedMission, TriggerAnswer } from './event.ts';

const assignmentTable = defineEntity({
  name: 'Assignment',
  tableName: 'assignment',
  properties: {
    accountId: p.uuid().primary(),
    missionId: p.uuid().primary(),
    progress: p.integer(),
    target: p.integer(),
    status: p.text(),
    startedAt: p.datetime(),
    completedAt: p.datetime().nullable(),
    updatedAt: p.datetime().onUpdate(() => new Date()),
  },
});

/** The progress of an account in a mission. */
export class Assignment extends assignmentTable.class {}
assignmentTable.setClass(Assignment);

const operationTable = defineEntity({
  name: 'Operation',
  tableName: 'operation',
  properties: {
    id: p.text().primary(),
    accountId: p.uuid(),
    response: p.json<TriggerAnswer>(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
});

/** An answered call. */
export class Operation extends operationTable.class {}
operationTable.setClass(Operation);

const messageTable = defineEntity({
  name: 'Message',
  tableName: 'outbox',
  properties: {
    id: p.bigint().primary(),
    accountId: p.uuid(),
    body: p.json<readonly ProgressedMission[]>(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
});

/** A message that waits to be sent. */
export class Message extends messageTable.class {}
messageTable.setClass(Message);
