import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ConsoleUserAdminService,
  type ConsoleUserChanges,
  ConsoleUserChangesSchema,
  type UpdateConsoleUserRequest,
  type UpdateConsoleUserResponseSchema,
} from '../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { ConsoleUserSchema } from '../../../gen/laurel/admin/v1/console_user_pb.ts';
import { recordChange } from '../../audit/record-change.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { canActOn, requireMayActOn, userRoleOf } from '../permissions.ts';
import type { Principal } from '../principal.ts';
import { endSessions } from '../sessions/sessions.queries.ts';
import { toConsoleUserMessage } from './console-user-message.ts';
import type { ConsoleUserEntity } from './console-user.entity.ts';
import { requireConsoleUser } from './require-console-user.ts';
import type { Call } from '../call.ts';

/** Changes the name, the role or the disabled state of a user: proto ConsoleUserAdminService.UpdateConsoleUser. */
export function updateConsoleUser(
  { db, principal, now }: Call,
  request: UpdateConsoleUserRequest,
): Promise<MessageInitShape<typeof UpdateConsoleUserResponseSchema>> {
  const changes = changesOf(request);
  return db.unitOfWork(principal.clientId, async (uow) => {
    const user = await requireConsoleUser(uow, request.id);
    requireMayActOn(principal, user.role, sentence`This user`);
    if (changes.role !== undefined) requireMayActOn(principal, changes.role, sentence`The changed user`);
    await requireVersion(uow, ConsoleUserSchema, user, request.user!.version);
    requireNotOneself(principal, user, changes);
    const before = toConsoleUserMessage(user);
    const { disabled, ...written } = changes;
    const disabledAt = disabled === undefined ? user.disabledAt : disabled ? (user.disabledAt ?? now) : null;
    uow.em.assign(user, { ...written, disabledAt, updatedAt: now, version: user.version + 1 });
    await uow.em.flush();
    if (disabled) await endSessions(uow, user.id, now);
    const after = toConsoleUserMessage(user);
    await recordChange(uow, principal, {
      operation: ConsoleUserAdminService.method.updateConsoleUser,
      schema: ConsoleUserSchema,
      id: user.id,
      before,
      after,
    });
    return { user: after };
  });
}

type Written = { name?: string; role?: ConsoleUserEntity['role']; disabled?: boolean };

/** The fields to write: those in the mask, otherwise all that are set. */
function changesOf({ user, updateMask }: UpdateConsoleUserRequest): Written {
  const sent = user!;
  const set = ConsoleUserChangesSchema.fields.filter(
    (field) => sent[field.localName as keyof ConsoleUserChanges] !== undefined,
  );
  const paths = updateMask && updateMask.paths.length > 0 ? updateMask.paths : set.map((field) => field.name);
  return Object.assign({}, ...paths.map((path) => written(path, sent))) as Written;
}

function written(path: string, { name = '', role, disabled }: ConsoleUserChanges): Written {
  if (path === 'name') return { name };
  if (path === 'version') return {};
  if (path === 'role' && role !== undefined) return { role: userRoleOf(role) };
  if (path === 'disabled' && disabled !== undefined) return { disabled };
  throw badRequest(sentence`'${path}' cannot be cleared or changed. Send a value for name, role or disabled.`);
}

/** Administrators may not lock themselves out: another one would have to restore their access, and they may be the last. */
function requireNotOneself({ actor }: Principal, user: ConsoleUserEntity, { role, disabled }: Written): void {
  const demoted = role !== undefined && !canActOn({ role }, user.role);
  if (actor?.id !== user.id || !(disabled || demoted)) return;
  throw new DomainError('OWN_USER', 'Nobody disables or demotes oneself. Ask another administrator to do it.');
}
