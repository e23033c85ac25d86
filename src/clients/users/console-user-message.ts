import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import { Role } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { type PartOf, propertiesOf } from '../../persistence/columns-of.ts';
import { type ConsoleUserEntity, consoleUserTable } from './console-user.entity.ts';

/** The API message of a user. */
export const CONSOLE_USER = propertiesOf(consoleUserTable, [
  'id',
  'email',
  'name',
  'role',
  'passwordTemporary',
  'lockedUntil',
  'secondFactorAt',
  'lastSignedInAt',
  'createdAt',
  'updatedAt',
  'disabledAt',
  'version',
]);

/** The API message of a user, without password data. */
export function toConsoleUserMessage(
  user: PartOf<ConsoleUserEntity, typeof CONSOLE_USER>,
): MessageInitShape<typeof ConsoleUserSchema> {
  const moment = (date: Date | null | undefined) => (date ? timestampFromDate(date) : undefined);
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: Role[user.role],
    disabled: Boolean(user.disabledAt),
    passwordChangeRequired: user.passwordTemporary,
    secondFactorEnabled: Boolean(user.secondFactorAt),
    lockedUntil: moment(user.lockedUntil),
    lastSignedInAt: moment(user.lastSignedInAt),
    createdAt: timestampFromDate(user.createdAt),
    updatedAt: timestampFromDate(user.updatedAt),
    version: user.version,
  };
}
