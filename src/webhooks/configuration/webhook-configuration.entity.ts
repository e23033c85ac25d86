import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import { WEBHOOK_TYPES } from './webhook-type.ts';

/** Where a client wants its events of one type. */
export const webhookConfigurationTable = defineEntity({
  name: 'WebhookConfigurationEntity',
  tableName: 'webhook_configuration',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    type: columns.oneOf(WEBHOOK_TYPES).primary(),
    /** New when a configuration is stored where none was, kept when one is replaced: what waits for a deleted one never goes out. */
    configurationId: columns.reference(),
    endpoint: columns.text(),
    method: columns.oneOf(['POST', 'PUT', 'PATCH', 'DELETE']),
    authenticationMethodType: columns.oneOf(['HEADER', 'QUERY_PARAM']).nullable(),
    authenticationMethodKey: columns.text().nullable(),
    /** Sealed by the kernel's secret box. */
    authenticationValueSealed: columns.text().nullable(),
    /** Sealed likewise; present where deliveries are signed. */
    signingSecretSealed: columns.text().nullable(),
    /** The signing secret before the last rotation, sealed likewise, and until when requests are signed with it, too. */
    formerSecretSealed: columns.text().nullable(),
    formerSecretUntil: columns.moment().nullable(),
    /** When the rewards webhook is sent while a reward waits for stock; null means EACH_DELIVERY. */
    sendWhen: columns.oneOf(['EACH_DELIVERY', 'ALL_SETTLED']).nullable(),
    /** A delivery that fails is sent again. */
    retries: p.boolean().default(false),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class WebhookConfigurationEntity extends webhookConfigurationTable.class {}
webhookConfigurationTable.setClass(WebhookConfigurationEntity);
