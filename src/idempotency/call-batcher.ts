import { type DescMessage, fromBinary, type Message, type MessageShape, toBinary } from '@bufbuild/protobuf';
import type { Call } from '../clients/call.ts';
import { afterAll } from '../kernel/concurrency/after-all.ts';
import type { Clock } from '../kernel/time/clock.ts';
import { amongRefusals, DomainError, isGranted } from '../kernel/errors/domain-error.ts';
import { receivedAtKey } from '../kernel/time/received-at.ts';
import { createBatcher } from '../persistence/batching/batcher.ts';
import { databaseUnavailable } from '../persistence/connections/failures.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { type Attempts, attemptsOf, isRefusal, refusalOfAttempt, attemptStates } from './attempts.ts';
import type { OperationClaim } from './claim.ts';
import { claimOfCall, operationInProgress, type OperationKey, refusalOf } from './once.ts';
import { retryIfTaken } from './operation-taken.ts';
import { claimOperations, type FinishedOperation, lookUpOperations, storeOperations } from './operations.queries.ts';
import { deleteRefusals, storeRefusals } from './refusals.queries.ts';

/** The result of a batch. */
export type BatchOutcome = {
  /** One per piece of work, in order: its answer, or a refusal without an effect. */
  readonly answers: ReadonlyArray<Message | DomainError>;
  /** Called after the commit and the answers to all callers. */
  readonly afterAnswers?: (() => void) | undefined;
};

/** The times of a batch. */
export type BatchTimes = {
  /** The time of all decisions and rows of the batch. */
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
  /** Concurrent batches, of one client and of all together. Each holds a database connection. */
  readonly concurrency: number;
  /**
   * Does the work of one client's calls in one transaction, with a constant number of statements. An error of one call is its answer. A
   * thrown error fails the batch, and then each call runs alone.
   */
  readonly run: (uow: UnitOfWork, work: readonly Work[], times: BatchTimes) => Promise<BatchOutcome>;
};

/** Batches calls that take effect once per operation and id (group commit). */
export type CallBatcher<Work> = {
  /**
   * Runs a call in one transaction with other waiting calls, and returns its answer after the commit. The stored answer of an earlier call
   * carries the header `Idempotency-Replayed: true`. A refusal is final for older attempts: docs/decisions/0021.
   * @throws DomainError the call's own refusal; `OPERATION_IN_PROGRESS` or `OPERATION_ID_REUSED` for its operation id
   */
  submit<S extends DescMessage>(call: Call, key: OperationKey, schema: S, work: Work): Promise<MessageShape<S>>;
  /**
   * Runs the items of one call, up to 200 in one transaction.
   * @returns one answer or refusal for each item, in order. A stored answer of an earlier call is not marked: the call as a whole is no repeat
   */
  submitTogether<S extends DescMessage>(
    call: Call,
    schema: S,
    items: ReadonlyArray<{ readonly key: OperationKey; readonly work: Work }>,
  ): Promise<Array<MessageShape<S> | DomainError>>;
};

/**
 * Milliseconds that a batch waits for a locked account: longer than an ordinary unit of work, but too short for the client to count as
 * stuck and lose all slots.
 */
const LOCK_WAIT_MS = 200;

/** The most calls in one transaction: the answer to the first call waits for the last. */
const BATCH_MAX = 200;

type Job<Work> = {
  readonly work: Work;
  readonly schema: DescMessage;
  /** Undefined for a call without an operation id, which takes effect every time. */
  readonly claimed: { readonly claim: OperationClaim; readonly attempts: Attempts } | undefined;
  readonly hasGone: () => boolean;
  /** The number of its transactions. */
  runs: number;
  /** Another transaction held its account for longer than the lock timeout of the last batch. */
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

  /** If another transaction has just stored an id of the batch, the second attempt finds its answer. */
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
    const open = jobs.flatMap((job, jobIndex) => {
      const own = settled[jobIndex]!;
      return 'free' in own ? [{ ...own.free, job, jobIndex }] : [];
    });
    const now = clock();
    const works = open.map(({ job }) => job.work);
    const { answers, afterAnswers }: BatchOutcome =
      works.length === 0 ? { answers: [] } : await run(uow, works, { now, lockWaitMs });
    const results = settled.map((own) => ('free' in own ? undefined : own.result));
    const repeats = await answersOfRepeats(uow, open, answers);
    for (const [index, { jobIndex, job }] of open.entries()) {
      const answer = answers[index]!;
      results[jobIndex] = repeats.get(index) ?? resultOf(answer);
      job.mustWait = answer instanceof DomainError && answer.kind === 'IN_PROGRESS';
    }
    const own = [...open.keys()].filter((index) => !repeats.has(index));
    await remember(
      uow,
      own.map((index) => open[index]!),
      own.map((index) => answers[index]!),
      now,
    );
    return { results: results as Applied['results'], afterAnswers };
  }

  /** A call that must wait for a locked account waits alone, so that it takes no slot from others. */
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

  /** Reserves an operation while `submit` runs: a duplicate in this process is refused at once, without a round trip. */
  async function withOperationInFlight<T>(key: string, operationId: string, submit: () => Promise<T>): Promise<T> {
    if (inFlight.has(key)) throw operationInProgress(operationId);
    inFlight.add(key);
    try {
      return await submit();
    } finally {
      inFlight.delete(key);
    }
  }

  function jobOf(call: Call, { operationId, content }: OperationKey, schema: DescMessage, work: Work): Job<Work> {
    const receivedAt = call.context.values.get(receivedAtKey) ?? performance.now();
    const claimed =
      operationId === ''
        ? undefined
        : { claim: claimOfCall({ operationId, content }), attempts: attemptsOf(receivedAt) };
    return { work, schema, claimed, hasGone: () => call.context.signal.aborted, runs: 0, mustWait: false };
  }

  return {
    async submit(call, key, schema, work) {
      const { clientId } = call.principal;
      const job = jobOf(call, key, schema, work);
      const submit = () => withLockRetries(clientId, job);
      const { message, replayed, answered } =
        key.operationId === ''
          ? await submit()
          : await withOperationInFlight(inFlightKey(clientId, key), key.operationId, submit);
      if (replayed) call.markReplayed();
      call.afterResponse(answered);
      return message as MessageShape<typeof schema>;
    },
    async submitTogether(call, schema, items) {
      const { clientId } = call.principal;
      const own = new Set<string>();
      const jobs = items.map(({ key, work }) => {
        const name = inFlightKey(clientId, key);
        if (key.operationId !== '' && (inFlight.has(name) || own.has(name)))
          return operationInProgress(key.operationId);
        if (key.operationId !== '') own.add(name);
        return jobOf(call, key, schema, work);
      });
      for (const name of own) inFlight.add(name);
      try {
        const results = await runTogether(clientId, jobs.filter(isGranted));
        for (const result of results) if (!(result instanceof Error)) call.afterResponse(result.answered);
        return amongRefusals(
          jobs,
          results.map((result) => answerOf(result) as MessageShape<typeof schema> | DomainError),
        );
      } finally {
        for (const name of own) inFlight.delete(name);
      }
    },
  };

  /** Each job that must wait for a locked account runs alone afterwards. */
  async function runTogether(clientId: string, jobs: readonly Job<Work>[]): Promise<Array<Result | Error>> {
    const results = jobs.length === 0 ? [] : await batcher.submitTogether(clientId, jobs);
    for (const [index, job] of jobs.entries())
      if (job.mustWait) results[index] = (await attemptTwice(clientId, [job]))[0]!;
    return results;
  }
}

function inFlightKey(clientId: string, { operationId, content }: OperationKey): string {
  return `${clientId} ${content[0]} ${operationId}`;
}

/** @throws Error that is no refusal: the whole call fails, and may be repeated */
function answerOf(result: Result | Error): Message | DomainError {
  if (!(result instanceof Error)) return result.message;
  if (result instanceof DomainError) return result;
  throw result;
}

/** The result of claiming a call's operation id: a stored result, or permission to do the work. */
type Settled = { readonly result: Applied['results'][number] } | { readonly free: Free };

/** `mayBeSecondUse` comes from the claim; `wasRefused` means that an earlier attempt of the operation was refused. */
type Free = { readonly mayBeSecondUse: boolean; readonly wasRefused: boolean };

/** Claims the operation ids of a batch, and answers calls whose id is done, in progress or misused. */
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
  const indexes = new Map(claiming.map((claimed, index) => [claimed, index]));
  return jobs.map((job): Settled => {
    if (!wanted.has(job)) return { result: databaseUnavailable(new Error('The caller has gone.')) };
    const { claimed, schema } = job;
    if (claimed === undefined) return { free: { mayBeSecondUse: false, wasRefused: false } };
    const [outcome, standing] = [outcomes[indexes.get(claimed)!]!, stands[indexes.get(claimed)!]!];
    if (outcome.state === 'done') return { result: { message: fromBinary(schema, outcome.response), replayed: true } };
    const { operationId } = claimed.claim;
    const refusal = refusalOf(outcome, operationId) ?? refusalOfAttempt(standing, operationId);
    if (refusal) return { result: refusal };
    return {
      free: { mayBeSecondUse: outcome.state === 'free' && outcome.mayBeSecondUse, wasRefused: standing === 'repeat' },
    };
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

/**
 * The stored answers of repeats that took effect while these calls were refused, by index: a claim may be granted an instant after its holder
 * committed, while its statement still reads the state before. No statement runs without a refusal.
 */
async function answersOfRepeats<Work>(
  uow: UnitOfWork,
  calls: ReadonlyArray<{ readonly job: Job<Work> }>,
  answers: BatchOutcome['answers'],
): Promise<ReadonlyMap<number, Applied['results'][number]>> {
  const refused = calls.flatMap(({ job: { claimed, schema } }, index) =>
    claimed !== undefined && isRefusal(answers[index]) ? [{ index, claim: claimed.claim, schema }] : [],
  );
  const outcomes = await lookUpOperations(
    uow,
    refused.map(({ claim }) => claim),
  );
  return new Map(
    refused.flatMap(({ index, schema }, position) => {
      const outcome = outcomes[position]!;
      if (outcome.state !== 'done') return [];
      return [[index, { message: fromBinary(schema, outcome.response), replayed: true }] as const];
    }),
  );
}

/** Stores the answers with their effects, and the refusals of the other calls. Their ids are claimed, so a refusal is effective at once. */
async function remember<Work>(
  uow: UnitOfWork,
  calls: ReadonlyArray<Free & { readonly job: Job<Work> }>,
  answers: BatchOutcome['answers'],
  now: Date,
): Promise<void> {
  const finished: FinishedOperation[] = [];
  const refused: OperationClaim[] = [];
  const noLongerRefused: OperationClaim[] = [];
  for (const [index, { job, mayBeSecondUse, wasRefused }] of calls.entries()) {
    const { schema, claimed } = job;
    if (claimed === undefined) continue;
    const { claim } = claimed;
    const answer = answers[index]!;
    if (answer instanceof DomainError) {
      if (isRefusal(answer)) refused.push(claim);
      continue;
    }
    finished.push({ ...claim, mayBeSecondUse, response: toBinary(schema, answer) });
    if (wasRefused) noLongerRefused.push(claim);
  }
  await Promise.all([
    deleteRefusals(uow, noLongerRefused),
    storeRefusals(uow, refused),
    storeOperations(uow, finished, now),
  ]);
}
