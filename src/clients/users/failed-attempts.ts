import { MustWait } from '../../kernel/rate-limited.ts';
import type { Database } from '../../persistence/database.ts';

/** Wrong passwords in a row that lock a user. */
const ATTEMPTS = 5;

/** Milliseconds for which they do. */
const LOCKED_FOR = 15 * 60_000;

/** Unknown e-mails remembered; at some 150 bytes each this is little. */
const REMEMBERED = 10_000;

type Attempts = { failed: number; lockedUntil: Date | undefined };

/**
 * Takes one of the user's attempts BEFORE the password is looked at, so that a hundred guesses sent at once are still no
 * more than five. The right password gives all of them back.
 * @throws MustWait `USER_LOCKED`
 */
export async function takeAttempt(
  db: Database,
  { clientId, id }: { clientId: string; id: string },
  now: Date,
): Promise<void> {
  const lockedUntil = new Date(now.getTime() + LOCKED_FOR);
  await db.unitOfWork(clientId, async (uow) => {
    const taken = await uow.query(
      `update console_user
          set failed_sign_ins = case when failed_sign_ins + 1 >= $4 then 0 else failed_sign_ins + 1 end,
              locked_until = case when failed_sign_ins + 1 >= $4 then $5::timestamptz end
        where client_id = $1 and id = $2 and (locked_until is null or locked_until <= $3)
        returning id`,
      [clientId, id, now, ATTEMPTS, lockedUntil],
    );
    if (taken.length > 0) return;
    const [user] = await uow.query<{ locked_until: Date | null }>(
      'select locked_until from console_user where client_id = $1 and id = $2',
      [clientId, id],
    );
    if (user?.locked_until) throw userLocked(user.locked_until, now);
  });
}

/**
 * The same for e-mails that nobody has: they are locked in the same way, so that a lock does not tell which e-mails there
 * are. Kept by this process alone.
 */
export function strangersAttempts(): (email: string, now: Date) => void {
  const strangers = new Map<string, Attempts>();
  return (email, now) => {
    const key = email.toLowerCase();
    const known = strangers.get(key);
    if (known?.lockedUntil !== undefined && known.lockedUntil > now) throw userLocked(known.lockedUntil, now);
    const failed = (known?.lockedUntil === undefined ? (known?.failed ?? 0) : 0) + 1;
    strangers.delete(key);
    if (strangers.size >= REMEMBERED) strangers.delete(strangers.keys().next().value ?? key);
    strangers.set(key, {
      failed,
      lockedUntil: failed >= ATTEMPTS ? new Date(now.getTime() + LOCKED_FOR) : undefined,
    });
  };
}

function userLocked(until: Date, now: Date): MustWait {
  return new MustWait(
    'USER_LOCKED',
    `After ${ATTEMPTS} wrong passwords this user is locked. Try again after ${until.toISOString()}, or ask an administrator for a new password.`,
    until.getTime() - now.getTime(),
  );
}
