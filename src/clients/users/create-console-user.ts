import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ConsoleUserAdminService,
  type CreateConsoleUserRequest,
  type CreateConsoleUserResponseSchema,
} from '../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { requireMayActOn, userRoleOf } from '../permissions.ts';
import type { Call } from '../call.ts';
import { toConsoleUserMessage } from './console-user-message.ts';
import { type ConsoleUserEntity, consoleUserTable } from './console-user.entity.ts';
import { hashPassword, newPassword } from './password.ts';

/**
 * Creates a user and shows the first password only once: proto ConsoleUserAdminService.CreateConsoleUser.
 * @param options.passwordStays the user need not replace it: only for the demo, whose password is in a file anyway
 */
export async function createConsoleUser(
  { db, principal }: Call,
  { email, name, role: roleNumber }: CreateConsoleUserRequest,
  options: { passwordStays?: boolean } = {},
): Promise<MessageInitShape<typeof CreateConsoleUserResponseSchema>> {
  const role = userRoleOf(roleNumber);
  requireMayActOn(principal, role, sentence`The new user`);
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  return db.unitOfWork(principal.clientId, async (uow) => {
    await requireFreeEmail(uow, email);
    const user = uow.em.create(consoleUserTable, {
      clientId: uow.clientId,
      id: newId(),
      email,
      name,
      role,
      passwordHash,
      passwordTemporary: !options.passwordStays,
    }) as ConsoleUserEntity;
    await uow.em.flush();
    const after = toConsoleUserMessage(user);
    await recordChange(uow, principal, {
      operation: ConsoleUserAdminService.method.createConsoleUser,
      schema: ConsoleUserSchema,
      id: user.id,
      after,
    });
    return { user: after, password };
  });
}

/** The lock is on the e-mail, so that of two calls that create the same user at once, one succeeds and one is refused. */
async function requireFreeEmail(uow: UnitOfWork, email: string): Promise<void> {
  await uow.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${uow.clientId} ${email.toLowerCase()}`]);
  const taken = await uow.query('select 1 from console_user where client_id = $1 and lower(email) = lower($2)', [
    uow.clientId,
    email,
  ]);
  if (taken.length === 0) return;
  throw new DomainError(
    'CONSOLE_USER_ALREADY_EXISTS',
    sentence`This client has a user with the e-mail ${email} already. Change that one, or send another e-mail.`,
  );
}
