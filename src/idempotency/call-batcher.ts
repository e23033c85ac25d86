import { type DescMessage, fromBinary, type Message, type MessageShape, toBinary } from '@bufbuild/protobuf';
import type { Call } from '../clients/call.ts';
import { afterAll } from '../kernel/concurrency/after-all.ts';
import type { Clock } from '../kernel/time/clock.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { receivedAtKey } from '../kernel/time/received-at.ts';
import { createBatcher } from '../persistence/batching/batcher.ts';
import { databaseUnavailable } from '../persistence/connections/failures.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { type Attempts, attemptsOf, isRefusal, refusalOfAttempt, attemptStates } from './attempts.ts';
import type { OperationClaim } from './claim.ts';
import { claimOfCall, operationInProgress, type OperationKey, refusalOf } from './once.ts';
import { retryIfTaken } from './operation-taken.ts';
import { claimOperations, type FinishedOperation, storeOperations } from './operations.queries.ts';
import { deleteRefusals, storeRefusals } from './refusals.queries.ts';

/** The result of a batch. */
export type BatchOutcome = {
  /** One for each piece of work, in order: its answer, or a refusal, which has had no effect. */
  readonly answers: ReadonlyArray<Message | DomainError>;
  /** Done once everything is committed and the last of the callers has been answered. */
  readonly afterAnswers?: (() => void) | undefined;
};

/** The times that count for a batch. */
export type BatchTimes = {
  /** The one moment of all that it decides and writes. */
  readonly now: Date;
  /**
   * Milliseconds to wait for a locked account; undefined for the statement timeout. A call that waits longer gets an
   * error of the kind `IN_PROGRESS`, and then runs alone.
   */
  readonly lockWaitMs?: number | undefined;
};

export type CallBatcherOptions<Work> = {
  readonly db: Database;
  readonly clock: Clock;
  /** Batches that run at once, of one client and of all. Each holds a database connection. */
  readonly concurrency: number;
  /**
   * Does the work of one client's calls in one transaction, in a number of statements that does not grow with it. An
   * error of one call is its answer. A thrown error fails the batch, and then each call runs alone.
   */
  readonly run: (uow: UnitOfWork, work: readonly Work[], times: BatchTimes) => Promise<BatchOutcome>;
};

/** Runs calls that take effect once for their operation and id by group commit. */
export type CallBatcher<Work> = {
  /**
   * Runs a call in one transaction with the others that wait, and gives its answer once that is committed. The stored answer of
   * an earlier call carries the header `Idempotency-Replayed: true`. A refusal holds: docs/decisions/0021.
   * @throws DomainError the call's own refusal; of its operation id `OPERATION_IN_PROGRESS`, `OPERATION_ID_REUSED`
   */
  submit<S extends DescMessage>(call: Call, key: OperationKey, schema: S, work: Work): Promise<MessageShape<S>>;
};

/**
 * Milliseconds that a batch waits for a locked account: longer than an ordinary unit of work, and short enough that its
 * client does not count as stuck, which would cost it all slots.
 */
const LOCK_WAIT_MS = 200;

/** Most calls in one transaction: its answer to the first waits for the last. */
const BATCH_MAX = 200;

type Job<Work> = {
  readonly work: Work;
  readonly schema: DescMessage;
  /** Undefined for a call without an operation id, which takes effect each time. */
  readonly claimed: { readonly claim: OperationClaim; readonly attempts: Attempts } | undefined;
  readonly hasGone: () => boolean;
  /** Transactions that it was in. */
  runs: number;
  /** Somebody held its account for longer than the last of them would wait. */
  mustWait: boolean;
};

type Result = { readonly message: Message; readonly replayed: boolean; readonly answered: () => void };

/** The results of a transaction, before its commit. */
type Applied = {
  readonly results: ReadonlyArray<Omit<Result, 'answered'> | DomainError>;
  readonly afterAnswers: (() => void) | undefined;
};

/** The batcher of one kind of calls, in this process. */
export function createCallBatcher<Work>({ db, clock, concurrency, run }: CallBatcherOptions<Work>): CallBatcher<Work> {
  const inFlight = new Set<string>();
  const batcher = createBatcher<Job<Work>, Result>({
    name: 'calls',
    concurrency,
    batchMax: BATCH_MAX,
    run: (clientId, jobs) => attemptTwice(clientId, jobs, LOCK_WAIT_MS),
  });

  /** A batch that met an id which another has just stored finds its answer the second time. */
  function attemptTwice(clientId: string, jobs: readonly Job<Work>[], lockWaitMs?: number) {
    return retryIfTaken(() => runOnce(clientId, jobs, lockWaitMs));
  }

  async function runOnce(
    clientId: string,
    jobs: readonly Job<Work>[],
    lockWaitMs: number | undefined,
  ): Promise<Array<Result | Error>> {
    const work = (uow: UnitOfWork) => applied(uow, jobs, lockWaitMs);
    const { results, afterAnswers = () => {} } = await db.unitOfWork(clientId, work);
    const answered = afterAll(results.filter((result) => !(result instanceof Error)).length, afterAnswers);
    return results.map((result) => (result instanceof Error ? result : { ...result, answered }));
  }

  async function applied(
    uow: UnitOfWork,
    jobs: readonly Job<Work>[],
    lockWaitMs: number | undefined,
  ): Promise<Applied> {
    const settled = await settle(uow, jobs);
    const open = jobs.flatMap((job, place) => {
      const own = settled[place]!;
      return 'free' in own ? [{ ...own.free, job, place }] : [];
    });
    const now = clock();
    const works = open.map(({ job }) => job.work);
    const { answers, afterAnswers }: BatchOutcome =
      works.length === 0 ? { answers: [] } : await run(uow, works, { now, lockWaitMs });
    const results = settled.map((own) => ('free' in own ? undefined : own.result));
    for (const [index, { place, job }] of open.entries()) {
      const answer = answers[index]!;
      results[place] = resultOf(answer);
      job.mustWait = answer instanceof DomainError && answer.kind === 'IN_PROGRESS';
    }
    await remember(uow, open, answers, now);
    return { results: results as Applied['results'], afterAnswers };
  }

  /** Who has to wait for an account that somebody holds does so alone, and keeps no slot from others. */
  async function withLockRetries(clientId: string, job: Job<Work>): Promise<Result> {
    try {
      return await batcher.submit(clientId, job);
    } catch (error) {
      if (!job.mustWait) throw error;
    }
    const [result] = await attemptTwice(clientId, [job]);
    if (result instanceof Error) throw result;
    return result!;
  }

  /** Holds an operation while `submit` runs: a duplicate in this process is told at once, without a round trip. */
  async function withOperationInFlight<T>(key: string, operationId: string, submit: () => Promise<T>): Promise<T> {
    if (inFlight.has(key)) throw operationInProgress(operationId);
    inFlight.add(key);
    try {
      return await submit();
    } finally {
      inFlight.delete(key);
    }
  }

  return {
    async submit(call, key, schema, work) {
      const { clientId } = call.principal;
      const { operationId, content } = key;
      const receivedAt = call.context.values.get(receivedAtKey) ?? performance.now();
      const claimed = operationId === '' ? undefined : { claim: claimOfCall(key), attempts: attemptsOf(receivedAt) };
      const job = { work, schema, claimed, hasGone: () => call.context.signal.aborted, runs: 0, mustWait: false };
      const submit = () => withLockRetries(clientId, job);
      const { message, replayed, answered } =
        claimed === undefined
          ? await submit()
          : await withOperationInFlight(`${clientId} ${content[0]} ${operationId}`, operationId, submit);
      if (replayed) call.markReplayed();
      call.afterResponse(answered);
      return message as MessageShape<typeof schema>;
    },
  };
}

/** The result of claiming a call's operation id: a stored result, or permission to do the work. */
type Settled = { readonly result: Applied['results'][number] } | { readonly free: Free };

/** `shared` as of a claim; `wasRefused` an earlier attempt of the same operation. */
type Free = { readonly shared: boolean; readonly wasRefused: boolean };

/** Claims the operation ids of a batch, and answers the calls whose id is done, under way or misused. */
async function settle<Work>(uow: UnitOfWork, jobs: readonly Job<Work>[]): Promise<Settled[]> {
  const wanted = new Set(jobs.filter(isStillWanted));
  const claiming = [...wanted].flatMap(({ claimed }) => claimed ?? []);
  const [outcomes, stands] =
    claiming.length === 0
      ? [[], []]
      : await Promise.all([
          claimOperations(
            uow,
            claiming.map(({ claim }) => claim),
          ),
          attemptStates(uow, claiming),
        ]);
  const places = new Map(claiming.map((claimed, index) => [claimed, index]));
  return jobs.map((job): Settled => {
    if (!wanted.has(job)) return { result: databaseUnavailable(new Error('The caller has gone.')) };
    const { claimed, schema } = job;
    if (claimed === undefined) return { free: { shared: false, wasRefused: false } };
    const [outcome, standing] = [outcomes[places.get(claimed)!]!, stands[places.get(claimed)!]!];
    if (outcome.state === 'done') return { result: { message: fromBinary(schema, outcome.response), replayed: true } };
    const { operationId } = claimed.claim;
    const refusal = refusalOf(outcome, operationId) ?? refusalOfAttempt(standing, operationId);
    if (refusal) return { result: refusal };
    return { free: { shared: outcome.state === 'free' && outcome.shared, wasRefused: standing === 'repeat' } };
  });
}

/** A repetition for a disconnected caller would have an effect that the caller never sees. */
function isStillWanted<Work>(job: Job<Work>): boolean {
  job.runs += 1;
  return job.runs === 1 || !job.hasGone();
}

function resultOf(answer: Message | DomainError): Applied['results'][number] {
  return answer instanceof DomainError ? answer : { message: answer, replayed: false };
}

/** Stores the answers beside their effects, and that the others were refused: their ids are claimed, so it holds at once. */
async function remember<Work>(
  uow: UnitOfWork,
  calls: ReadonlyArray<Free & { readonly job: Job<Work> }>,
  answers: BatchOutcome['answers'],
  now: Date,
): Promise<void> {
  const finished: FinishedOperation[] = [];
  const refused: OperationClaim[] = [];
  const noLongerRefused: OperationClaim[] = [];
  for (const [index, { job, shared, wasRefused }] of calls.entries()) {
    const { schema, claimed } = job;
    if (claimed === undefined) continue;
    const { claim } = claimed;
    const answer = answers[index]!;
    if (answer instanceof DomainError) {
      if (isRefusal(answer)) refused.push(claim);
      continue;
    }
    finished.push({ ...claim, shared, response: toBinary(schema, answer) });
    if (wasRefused) noLongerRefused.push(claim);
  }
  await Promise.all([
    deleteRefusals(uow, noLongerRefused),
    storeRefusals(uow, refused),
    storeOperations(uow, finished, now),
  ]);
}
