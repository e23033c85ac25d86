import type { Clock } from '../../kernel/time/clock.ts';
import { isDue } from '../../kernel/time/due.ts';
import { TooManyRequests } from '../../kernel/errors/rate-limited.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';

/** The slow-down after wrong passwords. */
export type AttemptLimits = {
  /** Failures before the first wait. */
  readonly free: number;
  /** Milliseconds of the first wait; each further failure doubles it. */
  readonly firstWait: number;
  /** Milliseconds of the longest wait. */
  readonly longestWait: number;
  /** Milliseconds without a failure after which the count is reset. */
  readonly forgetAfter: number;
  /** The message to a user who must wait; absent for passwords. */
  readonly refusal?: (until: Date) => Sentence;
};

/** A counter of failures. */
export type Counter = {
  /** The client of the row; {@link NOBODY} for attempts from unknown browsers. */
  readonly clientId: string;
  /** The subject of the attempts. It is compared in lower case by the database, as e-mails are. */
  readonly subject: string;
  /** The origin of the attempts. */
  readonly source: string;
  readonly pace: AttemptLimits;
};

/** Attempts that were taken together and may be returned. */
export type Taken = { readonly clientId: string; readonly at: Date; readonly counters: readonly TakenCounter[] };

type TakenCounter = Counter & { readonly lastFailedAt: Date };

type Needs = { readonly db: Database; readonly clock: Clock };

/** The client of rows that belong to no client. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Expired rows that one attempt deletes: more than it adds, so that they do not accumulate. */
const SWEPT = 10;

/** The key of a row. PostgreSQL's `lower` is used, as in the look-up of users by e-mail, so that no spelling has a separate counter. */
const KEY = `client_id = $1 and subject = sha256(convert_to(lower($2), 'UTF8')) and source = sha256(convert_to($3, 'UTF8'))`;

/**
 * Takes an attempt of each counter BEFORE the check of the password, so that a hundred simultaneous guesses get no more checks than a
 * hundred sequential ones. It takes all counters or none; they belong to one client.
 * @throws MustWait `USER_LOCKED`
 */
export async function takeAttempts({ db, clock }: Needs, counters: readonly [Counter, ...Counter[]]): Promise<Taken> {
  const now = clock();
  const { clientId } = counters[0];
  return db.unitOfWork(clientId, async (uow) => {
    const taken: TakenCounter[] = [];
    for (const counter of counters) taken.push(await take(uow, counter, now));
    await sweep(uow, now);
    return { clientId, at: now, counters: taken };
  });
}

async function take(uow: UnitOfWork, counter: Counter, now: Date): Promise<TakenCounter> {
  const key = [counter.clientId, counter.subject, counter.source];
  await uow.query(
    `insert into sign_in_attempt (client_id, subject, source, failures, last_failed_at, forget_at)
     values ($1, sha256(convert_to(lower($2), 'UTF8')), sha256(convert_to($3, 'UTF8')), 0, $4, $4) on conflict do nothing`,
    [...key, now],
  );
  const [row] = await uow.query<{ failures: number; last_failed_at: Date; forget_at: Date }>(
    `select failures, last_failed_at, forget_at from sign_in_attempt where ${KEY} for update`,
    key,
  );
  const { pace } = counter;
  const failures = row === undefined || isDue(row.forget_at, now, pace.forgetAfter) ? 0 : row.failures;
  const lastFailedAt = row?.last_failed_at ?? now;
  const longest = waitAfter(failures, pace);
  const wait = Math.min(longest, lastFailedAt.getTime() + longest - now.getTime());
  if (failures >= pace.free && wait > 0) throw mustWait(now, wait, pace.refusal);
  await uow.query(`update sign_in_attempt set failures = $4, last_failed_at = $5, forget_at = $6 where ${KEY}`, [
    ...key,
    failures + 1,
    now,
    new Date(now.getTime() + pace.forgetAfter),
  ]);
  return { ...counter, lastFailedAt };
}

/** Returns attempts that do not count: the password was correct, or was never checked. */
export async function returnAttempts({ db }: Pick<Needs, 'db'>, { clientId, at, counters }: Taken): Promise<void> {
  await db.unitOfWork(clientId, async (uow) => {
    for (const { subject, source, lastFailedAt } of counters) {
      await uow.query(
        `update sign_in_attempt
            set failures = greatest(failures - 1, 0),
                last_failed_at = case when last_failed_at = $4 then $5 else last_failed_at end
          where ${KEY}`,
        [clientId, subject, source, at, lastFailedAt],
      );
    }
  });
}

/** Runs work that needs an attempt. If it is refused because too many sign-ins run, the attempt is returned. */
export async function attempt<T>(needs: Needs, counter: Counter, work: () => Promise<T>): Promise<T> {
  const taken = await takeAttempts(needs, [counter]);
  try {
    return await work();
  } catch (error) {
    await returnAttempts(needs, taken);
    throw error;
  }
}

/** Deletes the failures of one counter. */
export async function clearAttempts(uow: UnitOfWork, { clientId, subject, source }: Omit<Counter, 'pace'>) {
  await uow.query(`delete from sign_in_attempt where ${KEY}`, [clientId, subject, source]);
}

/** Deletes the failures of one subject from all origins except `except`. */
export async function clearAllAttempts(
  uow: UnitOfWork,
  { clientId, subject }: Pick<Counter, 'clientId' | 'subject'>,
  except = '',
): Promise<void> {
  await uow.query(
    `delete from sign_in_attempt
      where client_id = $1 and subject = sha256(convert_to(lower($2), 'UTF8')) and source <> sha256(convert_to($3, 'UTF8'))`,
    [clientId, subject, except],
  );
}

/** Deletes expired rows; locked rows are left to the next attempt. */
async function sweep(uow: UnitOfWork, now: Date): Promise<void> {
  await uow.query(
    `delete from sign_in_attempt a using (
       select ctid as row_ctid from sign_in_attempt
        where client_id = $1 and forget_at < $2 order by forget_at limit ${SWEPT} for update skip locked) past
      where a.client_id = $1 and a.ctid = past.row_ctid`,
    [uow.clientId, now],
  );
}

/** The milliseconds of the wait after this many failures. */
export function waitAfter(failures: number, { free, firstWait, longestWait }: AttemptLimits): number {
  return failures < free ? 0 : Math.min(longestWait, firstWait * 2 ** (failures - free));
}

/** The message is the same for existing and unknown users. */
function mustWait(now: Date, wait: number, refusal = passwordRefusal): TooManyRequests {
  return new TooManyRequests('USER_LOCKED', refusal(new Date(now.getTime() + wait)), wait);
}

function passwordRefusal(until: Date): Sentence {
  return sentence`Too many wrong passwords were sent for this user. Try again after ${until}, or with a browser that has signed in before, or ask an administrator for a new password.`;
}
