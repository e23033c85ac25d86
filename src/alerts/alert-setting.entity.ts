import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/connections/columns.ts';
import type { CauseKind } from '../activity/causes.ts';

/** The alert settings of a client: causes, quiet hours and reminder. */
export const alertSettingTable = defineEntity({
  name: 'AlertSettingEntity',
  tableName: 'alert_setting',
  ...ownedByClient,
  properties: {
    clientId: columns.clientId(),
    endpoint: columns.text().nullable(),
    /** Encrypted by the kernel's secret box; present if there is an endpoint. */
    signingSecretSealed: columns.text().nullable(),
    recipients: p
      .json<readonly string[]>()
      .default('[]')
      .onCreate(() => []),
    /** Reported kinds; empty means all, including those of later releases. */
    causes: p
      .json<readonly CauseKind[]>()
      .default('[]')
      .onCreate(() => []),
    language: columns.oneOf(['EN', 'ES']),
    /** Minutes of the day in `quietZone`, from 0 to 1439; all three columns are null or none is. */
    quietFrom: p.integer().nullable(),
    quietTo: p.integer().nullable(),
    quietZone: columns.text().nullable(),
    reminderHours: p.integer().nullable(),
    /** Increases with every change, so that two operators do not overwrite each other. */
    version: p.integer().default(1),
    createdAt: columns.createdAt(),
    updatedAt: columns.changedAt(),
  },
});

export class AlertSettingEntity extends alertSettingTable.class {}
alertSettingTable.setClass(AlertSettingEntity);
