import type { DescMethod } from '@bufbuild/protobuf';
import type { Interceptor } from '@connectrpc/connect';
import { SessionService } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import { Role } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { may, permissionOf } from '../../clients/permissions.ts';
import { missingCredential, principalKey } from '../../clients/principal.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { told, type Told } from '../../kernel/told.ts';

/** What to send instead, by the role that the operation states. */
const NEEDED: Partial<Record<Role, Told>> = {
  [Role.CLIENT_ADMIN]: told`the access token of the client's administrator (\`lrl_adm_...\`)`,
  [Role.SERVICE_ADMIN]: told`the access token of a service administrator (\`lrl_adm_...\`)`,
};

/** Lets a call pass if its principal may do what the role stands for that the operation states in its proto. */
export function authorisationInterceptor(roleOf: (method: DescMethod) => Role): Interceptor {
  return (next) => (request) => {
    const needed = roleOf(request.method);
    if (needed === Role.PUBLIC) return next(request);
    const principal = request.contextValues.get(principalKey);
    if (principal === undefined) throw missingCredential();
    if (!may(principal, permissionOf(needed))) {
      throw new DomainError('FORBIDDEN', told`This operation needs ${NEEDED[needed] ?? told`another credential`}.`);
    }
    if (principal.passwordChangeRequired && request.service.typeName !== SessionService.typeName) {
      throw new DomainError(
        'PASSWORD_CHANGE_REQUIRED',
        'An administrator made this password. Replace it by SessionService.ChangePassword first.',
      );
    }
    return next(request);
  };
}
