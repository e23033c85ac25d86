import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { type Exchange, headerOf } from '../http/exchange.ts';

/** Milliseconds of each unit of `grpc-timeout`. */
const UNITS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** The maximum of a timer of Node, 24 days; no call runs for that time. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The caller's time limit for the whole call in milliseconds from its arrival (`grpc-timeout`); undefined without a limit.
 * @throws DomainError `BAD_REQUEST` unless it has the form of gRPC's specification: up to eight digits and a unit
 */
export function timeoutOf({ request }: Exchange): number | undefined {
  const sent = headerOf(request, 'grpc-timeout');
  if (sent === undefined) return undefined;
  const unit = UNITS[sent.at(-1) ?? ''];
  const count = sent.slice(0, -1);
  if (unit === undefined || !/^\d{1,8}$/.test(count)) {
    throw badRequest('`grpc-timeout` has up to eight digits and a unit, one of H, M, S, m, u and n: `5S`.');
  }
  return Number(count) * unit;
}

/** The deadline of a call, if it has one. */
export class Deadline {
  /** Whether it has passed, and the call was answered with that error. */
  hasPassed = false;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #endsAt: number;
  readonly #pass: () => void;

  /**
   * @param timeoutMs the result of {@link timeoutOf}
   * @param expire called at most once, when it passes
   */
  constructor(exchange: Exchange, timeoutMs: number | undefined, expire: (error: DomainError) => void) {
    this.#endsAt = exchange.startedAt + (timeoutMs ?? Infinity);
    this.#pass = () => {
      if (this.hasPassed) return;
      this.hasPassed = true;
      exchange.abandon();
      expire(deadlineExceeded());
    };
    if (timeoutMs === undefined || timeoutMs > MAX_TIMER_MS) return;
    this.#timer = setTimeout(this.#pass, Math.max(0, this.#endsAt - performance.now()));
  }

  /** Whether time is left for further work. Without it, the deadline passes now. */
  isOpen(): boolean {
    if (performance.now() >= this.#endsAt) this.#pass();
    return !this.hasPassed;
  }

  /** The call is about to be answered: the deadline can no longer pass. */
  end(): void {
    clearTimeout(this.#timer);
  }
}

function deadlineExceeded(): DomainError {
  const message =
    'The deadline passed before the answer. What has begun is finished: repeat the call with the same operation id.';
  return new DomainError('DEADLINE_EXCEEDED', message);
}
