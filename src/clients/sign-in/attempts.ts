import type { Clock } from '../../kernel/time/clock.ts';
import { isDue } from '../../kernel/time/due.ts';
import { TooManyRequests } from '../../kernel/errors/rate-limited.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';

/** How wrong passwords are slowed down. */
export type AttemptLimits = {
  /** Failures after which one has to wait. */
  readonly free: number;
  /** Milliseconds of the first wait; each further failure doubles it. */
  readonly firstWait: number;
  /** Milliseconds of the longest wait: nobody is kept out for longer. */
  readonly longestWait: number;
  /** Milliseconds without a failure after which all are forgotten. */
  readonly forgetAfter: number;
  /** The message to a user who must wait; absent for passwords. */
  readonly refusal?: (until: Date) => Sentence;
};

/** A counter of failures. */
export type Counter = {
  /** Whose row it is; {@link NOBODY} for what strangers try. */
  readonly clientId: string;
  /** The subject of the attempts. It is compared in lower case by the database, as e-mails are. */
  readonly subject: string;
  /** From where. */
  readonly source: string;
  readonly pace: AttemptLimits;
};

/** Attempts that were taken together and may be given back. */
export type Taken = { readonly clientId: string; readonly at: Date; readonly counters: readonly TakenCounter[] };

type TakenCounter = Counter & { readonly lastFailedAt: Date };

type Needs = { readonly db: Database; readonly clock: Clock };

/** The client of what belongs to none. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Past rows that one attempt clears away: more than it adds, so that they do not pile up. */
const SWEPT = 10;

/** Names a row. `lower` is the database's, because the e-mail of a user is looked up by it: no spelling has its own counter. */
const KEY = `client_id = $1 and subject = sha256(convert_to(lower($2), 'UTF8')) and source = sha256(convert_to($3, 'UTF8'))`;

/**
 * Takes an attempt of each counter BEFORE the password is looked at, so that of a hundred guesses sent at once no more are
 * looked at than of a hundred sent one after the other. All counters or none; they are of one client.
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

/** Gives attempts back that were none: the password was right, or nobody looked at it. */
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

/** Runs work that needs an attempt. If it is refused because too many sign-ins run, the attempt does not count. */
export async function attempt<T>(needs: Needs, counter: Counter, work: () => Promise<T>): Promise<T> {
  const taken = await takeAttempts(needs, [counter]);
  try {
    return await work();
  } catch (error) {
    await returnAttempts(needs, taken);
    throw error;
  }
}

/** Forgets the failures of one counter. */
export async function clearAttempts(uow: UnitOfWork, { clientId, subject, source }: Omit<Counter, 'pace'>) {
  await uow.query(`delete from sign_in_attempt where ${KEY}`, [clientId, subject, source]);
}

/** Forgets what was tried with one subject, from wherever but `except`. */
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

/** Rows that somebody holds are left to the next attempt. */
async function sweep(uow: UnitOfWork, now: Date): Promise<void> {
  await uow.query(
    `delete from sign_in_attempt a using (
       select ctid as place from sign_in_attempt
        where client_id = $1 and forget_at < $2 order by forget_at limit ${SWEPT} for update skip locked) past
      where a.client_id = $1 and a.ctid = past.place`,
    [uow.clientId, now],
  );
}

/** Milliseconds to wait after so many failures. */
export function waitAfter(failures: number, { free, firstWait, longestWait }: AttemptLimits): number {
  return failures < free ? 0 : Math.min(longestWait, firstWait * 2 ** (failures - free));
}

/** The words are the same whether there is such a user or not. */
function mustWait(now: Date, wait: number, refusal = passwordRefusal): TooManyRequests {
  return new TooManyRequests('USER_LOCKED', refusal(new Date(now.getTime() + wait)), wait);
}

function passwordRefusal(until: Date): Sentence {
  return sentence`Too many wrong passwords were sent for this user. Try again after ${until}, or with a browser that has signed in before, or ask an administrator for a new password.`;
}
