import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import type { ChangeKind } from '../changes/change-kind.ts';

/**
 * A receiver of several kinds of changes. The table is separate from the configurations of the types, whose key is their type for older hosts
 * too.
 */
export const webhookEndpointTable = defineEntity({
  name: 'WebhookEndpointEntity',
  tableName: 'webhook_endpoint',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    /** Also the `configuration_id` of its messages. */
    id: columns.id(),
    name: columns.text(),
    url: columns.text(),
    /** The kinds of changes, without a CHECK constraint: a new kind needs no migration. */
    types: p.array().$type<ChangeKind[]>().columnType('text[]'),
    /** Empty for all changes of its types. */
    campaignIds: columns.references(),
    retries: p.boolean().default(true),
    form: columns.oneOf(['PLAIN', 'CLOUD_EVENTS']),
    /** The signing secret, sealed by the kernel's secret box. */
    signingSecretSealed: columns.text(),
    /** The sealed signing secret before the last rotation, and the end of its use beside the current one. */
    formerSecretSealed: columns.text().nullable(),
    formerSecretUntil: columns.moment().nullable(),
    /** Increases with every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class WebhookEndpointEntity extends webhookEndpointTable.class {}
webhookEndpointTable.setClass(WebhookEndpointEntity);
