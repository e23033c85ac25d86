import { defineEntity, p } from '@mikro-orm/core';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';

/** A person who may sign in to the console. */
export const consoleUserTable = defineEntity({
  name: 'ConsoleUserEntity',
  tableName: 'console_user',
  ...ownedByClient,
  uniques: [
    {
      name: 'console_user_email_unique',
      expression: 'create unique index "console_user_email_unique" on "console_user" ("client_id", lower("email"))',
    },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    email: columns.text(),
    name: columns.text(),
    role: columns.oneOf(['CLIENT_ADMIN', 'SERVICE_ADMIN', 'VIEWER', 'SUPPORT', 'MARKETER']),
    /** argon2id, with its salt and parameters. */
    passwordHash: columns.text(),
    /** Whether an administrator made the password, so that the user must replace it. */
    passwordTemporary: p.boolean().default(false),
    /** Wrong passwords since the last sign-in, only shown to the user. */
    failedSignIns: p.integer().default(0),
    /** Written only by the previous release, which locked users. */
    lockedUntil: columns.moment().nullable(),
    /** The encrypted secret of the second factor (decision 80); not confirmed yet while `secondFactorAt` is null. */
    secondFactorSealed: columns.text().nullable(),
    /** The time since which sign-ins by password need a second factor. */
    secondFactorAt: columns.moment().nullable(),
    /** The time step (thirty seconds, counted from 1970) of the last accepted code; this code and older ones are refused. */
    secondFactorStep: p.integer().nullable(),
    /** SHA-256 of each unused recovery code, in hexadecimal, separated by commas. */
    recoveryCodeHashes: columns.text().nullable(),
    lastSignedInAt: columns.moment().nullable(),
    createdAt: columns.createdAt(),
    /** The last change by an administrator; a sign-in does not count. */
    updatedAt: columns.createdAt(),
    disabledAt: columns.moment().nullable(),
    /** Increases with each change by an administrator. */
    version: p.integer().default(1),
  },
});

export class ConsoleUserEntity extends consoleUserTable.class {}
consoleUserTable.setClass(ConsoleUserEntity);
