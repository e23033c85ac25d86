import type { Database } from '../../persistence/database.ts';
import { clearAllAttempts, NOBODY } from './attempts.ts';
import { chosenPasswordCounter, unknownBrowserSubject } from './counters.ts';
import { isOnlyUserOfEmail } from './sign-in.queries.ts';

/**
 * Clears the counters of a user, who can then sign in from any address. Attempts with the e-mail but without a client
 * stay counted if users of other clients have the same e-mail: an administrator must not clear their protection.
 */
export async function clearAttemptsOf(
  db: Database,
  { clientId, id, email }: { clientId: string; id: string; email: string },
): Promise<void> {
  await db.systemUnitOfWork(async (uow) => {
    // The counter of chosen passwords stays, because otherwise a reset would allow more of them.
    await clearAllAttempts(uow, { clientId, subject: id }, chosenPasswordCounter({ clientId, id }).source);
    await clearAllAttempts(uow, { clientId: NOBODY, subject: unknownBrowserSubject(email, clientId) });
    if (await isOnlyUserOfEmail(uow, { clientId, email })) {
      await clearAllAttempts(uow, { clientId: NOBODY, subject: unknownBrowserSubject(email, undefined) });
    }
  });
}
