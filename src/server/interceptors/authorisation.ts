import type { DescMethod, Message } from '@bufbuild/protobuf';
import type { Interceptor } from '@connectrpc/connect';
import { SessionService } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { hasPermission, permissionOf } from '../../clients/permissions.ts';
import { isPerson, missingCredential, type Principal, principalKey } from '../../clients/principal.ts';
import { accountTokenGuard } from './account-token.ts';
import { setupRequired } from '../../clients/second-factor/required-factor.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';

/** Admits a call if its principal has the permission of the operation. */
export function authorisationInterceptor(needs: (method: DescMethod) => Permission): Interceptor {
  const guardAccount = accountTokenGuard();
  return (next) => (request) => {
    const needed = needs(request.method);
    if (needed === Permission.ANYONE) return next(request);
    const principal = request.contextValues.get(principalKey);
    if (principal === undefined) throw missingCredential();
    if (principal.account !== undefined) {
      const { account } = principal;
      if (!request.stream) {
        guardAccount(request.method, request.message, account);
        return next(request);
      }
      // The message of a server's stream comes later; a caller's stream has more than one, and is closed.
      if (request.method.methodKind !== 'server_streaming') guardAccount(request.method, undefined, account);
      const guard = (message: Message) => guardAccount(request.method, message, account);
      return next({ ...request, message: guarded(request.message, guard) });
    }
    if (!hasPermission(principal, permissionOf(needed))) throw forbidden(principal, needed);
    if (principal.passwordChangeRequired && request.service.typeName !== SessionService.typeName) {
      throw new DomainError(
        'PASSWORD_CHANGE_REQUIRED',
        'An administrator made this password. Replace it by SessionService.ChangePassword first.',
      );
    }
    if (principal.secondFactorSetupRequired && request.service.typeName !== SessionService.typeName) {
      throw setupRequired();
    }
    return next(request);
  };
}

async function* guarded<T extends Message>(messages: AsyncIterable<T>, guard: (message: T) => void): AsyncIterable<T> {
  for await (const message of messages) {
    guard(message);
    yield message;
  }
}

/** The error with the advice: a system needs another credential, a person needs another role. */
function forbidden(principal: Principal, needed: Permission): DomainError {
  if (isPerson(principal)) {
    return new DomainError(
      'FORBIDDEN',
      sentence`Your role ${principal.role} does not have the permission ${permissionOf(needed)}. Ask an administrator to do this, or for another role.`,
    );
  }
  const credential =
    permissionOf(needed) === 'ADMINISTER_SERVICE'
      ? sentence`the access token of a service administrator (\`lrl_adm_...\`)`
      : sentence`the access token of the client's administrator (\`lrl_adm_...\`)`;
  return new DomainError('FORBIDDEN', sentence`This operation needs ${credential}.`);
}
