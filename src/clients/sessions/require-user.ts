import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { Principal } from '../principal.ts';

/**
 * The user of a call, in the user's own client, also while the call acts for another.
 * @throws DomainError `SESSION_REQUIRED` for an access token
 */
export function requireUser({ actor, ownClientId, clientId }: Principal): { clientId: string; id: string } {
  if (actor?.type === 'USER') return { clientId: ownClientId ?? clientId, id: actor.id };
  throw new DomainError(
    'SESSION_REQUIRED',
    'An access token has no password. Sign in, and send the token of the session.',
  );
}
