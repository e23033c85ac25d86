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
    /** An administrator made the password, so that the user has to replace it. */
    passwordTemporary: p.boolean().default(false),
    /** Wrong passwords checked since the last sign-in, only to show them to the user. */
    failedSignIns: p.integer().default(0),
    /** Written by the release before only, which locked users. */
    lockedUntil: columns.moment().nullable(),
    /** The secret of the second factor, sealed (decision 80); where `secondFactorAt` is null, one that waits to be confirmed. */
    secondFactorSealed: columns.text().nullable(),
    /** Since when sign-ins by password ask for a second factor. */
    secondFactorAt: columns.moment().nullable(),
    /** The thirty seconds, counted from 1970, of the last code that was accepted: neither it nor an older one is again. */
    secondFactorStep: p.integer().nullable(),
    /** SHA-256 of each recovery code that has not been used, as hexadecimal digits with commas between. */
    recoveryCodeHashes: columns.text().nullable(),
    lastSignedInAt: columns.moment().nullable(),
    createdAt: columns.createdAt(),
    /** The last change by an administrator; signing in is none. */
    updatedAt: columns.createdAt(),
    disabledAt: columns.moment().nullable(),
    /** Raised by each change of an administrator. */
    version: p.integer().default(1),
  },
});

export class ConsoleUserEntity extends consoleUserTable.class {}
consoleUserTable.setClass(ConsoleUserEntity);
