import { defineEntity, p } from '@mikro-orm/core';
import type { AttributeDefinition } from '../attributes/attribute-definition.ts';
import type { PastZone } from '../kernel/time/zone-history.ts';
import type { StreakSettings } from './streak-settings.ts';
import { columns, rowLevelSecurity } from '../persistence/connections/columns.ts';

/** An organisation that uses the service. The only table without `client_id`: here the id itself is the client. */
export const clientTable = defineEntity({
  name: 'ClientEntity',
  tableName: 'client',
  ...rowLevelSecurity('id'),
  properties: {
    id: columns.id(),
    name: columns.text(),
    /** IANA name; the zone of accounts without their own zone. */
    timeZone: columns.text().default('UTC'),
    /** The earlier zones, oldest first. */
    pastZones: p
      .json<readonly PastZone<string>[]>()
      .default('[]')
      .onCreate(() => []),
    /** The declared attributes of its accounts. */
    accountAttributes: p
      .json<readonly AttributeDefinition[]>()
      .default('[]')
      .onCreate(() => []),
    /** Increases with every change of `accountAttributes`. */
    accountAttributesVersion: p.integer().default(1),
    /** Whether users who sign in by password need a second factor (decision 91). */
    requireSecondFactor: p.boolean().default(false),
    /** The most days that a backfilled event may be late; 0 for no backfill (decision 103). */
    backfillDaysMax: p.integer().default(0),
    /** Whether the webhook at `/webhooks/rewards` has badges (decision 109). */
    badgesInRewardsWebhook: p.boolean().default(false),
    /** How far above the usual an account must be to need attention; 0 compares none (docs/campaign-operations.md). */
    outlierThreshold: p.integer().default(0),
    /** The settings of streaks; null if none were made (decision 111). */
    streakSettings: p.json<StreakSettings>().nullable(),
    /** The origins of pages that may use account tokens; null if none were configured. */
    accountTokenOrigins: p.array().$type<string[]>().nullable(),
    /** The last account whose reviews of runs were moved after a change of the zone or of the hours; null if none are to be moved. */
    streakLooksMoved: columns.reference().nullable(),
    /** Increases in the transaction of every change to the client's definitions; a catalogue with another version is stale. */
    catalogVersion: columns.count().default(0),
    /** Increases with every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class ClientEntity extends clientTable.class {}
clientTable.setClass(ClientEntity);
