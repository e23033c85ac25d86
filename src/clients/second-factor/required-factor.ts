import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { isPerson, type Principal } from '../principal.ts';

/**
 * SQL: whether a user (`u`) signed in by password in a session (`s`) and has no second factor. A provider checks its
 * own factors.
 */
export const LACKS_SECOND_FACTOR = '(u.second_factor_at is null and not s.by_provider)';

/** Whether the person of a session signed in by password and has no second factor. The session belongs to the unit of work's client. */
export async function lacksSecondFactor(uow: UnitOfWork, sessionId: string): Promise<boolean> {
  const rows = await uow.query(
    `select 1 from console_session s join console_user u on u.client_id = s.client_id and u.id = s.user_id
      where s.client_id = $1 and s.id = $2 and ${LACKS_SECOND_FACTOR}`,
    [uow.clientId, sessionId],
  );
  return rows.length > 0;
}

/**
 * Whether the caller is a person who signed in by password and has no second factor. It reads the database, because a cached principal may
 * be old.
 */
export async function callerLacksSecondFactor(db: Database, principal: Principal): Promise<boolean> {
  if (!isPerson(principal)) return false;
  const { clientId, ownClientId = clientId, credentialId } = principal;
  return db.unitOfWork(ownClientId, (uow) => lacksSecondFactor(uow, credentialId));
}

/**
 * Refuses a requirement of second factors by a person without one, who would be locked out first.
 * @throws DomainError `SECOND_FACTOR_NOT_ENABLED`
 */
export function requireOwnFactor(lacks: boolean): void {
  if (!lacks) return;
  throw new DomainError(
    'SECOND_FACTOR_NOT_ENABLED',
    sentence`You have no second factor yourself. Set one up first, in the settings of the console or by SessionService.BeginSecondFactor and ConfirmSecondFactor; then send \`requireSecondFactor\` again.`,
  );
}

/** The error for a person who must set up a second factor. */
export function setupRequired(): DomainError {
  return new DomainError(
    'SECOND_FACTOR_SETUP_REQUIRED',
    'The client requires a second factor of whoever signs in by password, and you have none. Set one up in the console, or by SessionService.BeginSecondFactor and ConfirmSecondFactor; then go on.',
  );
}
