import type { JsonObject } from '@bufbuild/protobuf';
import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** An event of a suspended account: accepted, without an effect, until the account is resumed. */
export const suspendedTriggerTable = defineEntity({
  name: 'SuspendedTriggerEntity',
  tableName: 'suspended_trigger',
  ...ownedByClient,
  indexes: [{ name: 'suspended_trigger_account', properties: ['clientId', 'accountId', 'id'] }],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    accountId: columns.reference(),
    programmaticCode: columns.text(),
    /** The account as the request named it, because a repeat names it so. */
    namedAccountId: columns.byteExactText(),
    idType: columns.oneOf(['EXTERNAL', 'INTERNAL']),
    metadata: p.json<JsonObject>().nullable(),
    operationId: columns.byteExactText().nullable(),
    occurredAt: columns.moment(),
    acceptedAt: columns.moment(),
  },
});

export class SuspendedTriggerEntity extends suspendedTriggerTable.class {}
suspendedTriggerTable.setClass(SuspendedTriggerEntity);
