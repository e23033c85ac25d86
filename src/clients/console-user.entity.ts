import { defineEntity } from '@mikro-orm/core';
import { columns, ownedByClient } from '../persistence/columns.ts';

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
    role: columns.oneOf(['CLIENT_ADMIN', 'SERVICE_ADMIN']),
    /** argon2id, with its salt and parameters. */
    passwordHash: columns.text(),
    createdAt: columns.createdAt(),
    disabledAt: columns.moment().nullable(),
  },
});

export class ConsoleUserEntity extends consoleUserTable.class {}
consoleUserTable.setClass(ConsoleUserEntity);
