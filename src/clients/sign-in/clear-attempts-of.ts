import type { Database } from '../../persistence/database.ts';
import { clearAllAttempts, NOBODY } from './attempts.ts';
import { chosenPasswordCounter, unknownBrowserSubject } from './counters.ts';
import { isOnlyUserOfEmail } from './sign-in.queries.ts';

/**
 * Lets a user sign in at once again, from everywhere. What was tried with the e-mail without naming a client stays counted
 * where users of other clients have it too: a client's administrator must not be able to clear what protects those.
 */
export async function clearAttemptsOf(
  db: Database,
  { clientId, id, email }: { clientId: string; id: string; email: string },
): Promise<void> {
  await db.systemUnitOfWork(async (uow) => {
    // The passwords that were chosen stay counted, or a reset in between would allow ever more of them.
    await clearAllAttempts(uow, { clientId, subject: id }, chosenPasswordCounter({ clientId, id }).source);
    await clearAllAttempts(uow, { clientId: NOBODY, subject: unknownBrowserSubject(email, clientId) });
    if (await isOnlyUserOfEmail(uow, { clientId, email })) {
      await clearAllAttempts(uow, { clientId: NOBODY, subject: unknownBrowserSubject(email, undefined) });
    }
  });
}
