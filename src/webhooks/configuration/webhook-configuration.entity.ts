import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import { WEBHOOK_TYPES } from './webhook-type.ts';

/** The receiver of one client for one type of webhook. */
export const webhookConfigurationTable = defineEntity({
  name: 'WebhookConfigurationEntity',
  tableName: 'webhook_configuration',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    type: columns.oneOf(WEBHOOK_TYPES).primary(),
    /** A new id for a first configuration; a replacement keeps it. So messages of a deleted configuration are never sent. */
    configurationId: columns.reference(),
    endpoint: columns.text(),
    method: columns.oneOf(['POST', 'PUT', 'PATCH', 'DELETE']),
    authenticationMethodType: columns.oneOf(['HEADER', 'QUERY_PARAM']).nullable(),
    authenticationMethodKey: columns.text().nullable(),
    /** The authentication value, sealed by the kernel's secret box. */
    authenticationValueSealed: columns.text().nullable(),
    /** The sealed signing secret; null if deliveries are not signed. */
    signingSecretSealed: columns.text().nullable(),
    /** The sealed signing secret before the last rotation, and the end of its use beside the current one. */
    formerSecretSealed: columns.text().nullable(),
    formerSecretUntil: columns.moment().nullable(),
    /** When the rewards webhook is sent while a reward waits for stock; null means EACH_DELIVERY. */
    sendWhen: columns.oneOf(['EACH_DELIVERY', 'ALL_SETTLED']).nullable(),
    /** Whether a failed delivery is retried. */
    retries: p.boolean().default(false),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class WebhookConfigurationEntity extends webhookConfigurationTable.class {}
webhookConfigurationTable.setClass(WebhookConfigurationEntity);
