import type { Change } from '../../../gen/laurel/v1/change_pb.ts';
import type { Admitted } from '../../clients/credentials/readmission.ts';
import type { Principal } from '../../clients/principal.ts';
import type { Place } from '../cursor.ts';
import { MERGED } from './account-of-change.ts';
import type { Progress } from './progress.ts';

/** The most changes that wait for a reader. One that is further behind is cut off, and resumes. */
const WAITING_MAX = 1_000;

/** A change, progress, or a heartbeat: neither, with the place that the reader has reached. */
export type Told = {
  readonly change?: Change | undefined;
  readonly progress?: Progress | undefined;
  readonly place: Place;
};

/** The wish of a listener. */
export type Wish = {
  readonly clientId: string;
  readonly accountId: string;
  /** All kinds if it is empty. */
  readonly kinds: ReadonlySet<string>;
  /** Whether it is told progress. */
  readonly progress: boolean;
  /** It has what comes up to here. */
  readonly start: Place;
};

/** The reader of one account's changes. It is a class, because a process has thousands of them. */
export class Listener implements Admitted {
  readonly clientId: string;
  readonly accountId: string;
  readonly principal: Principal;
  readonly authorization: string | undefined;
  /** By `performance.now()`: the end of the stream, and the next heartbeat. */
  readonly endsAt: number;
  beatAt: number;
  /** Whether it is told progress. */
  readonly hasProgress: boolean;
  readonly #kinds: ReadonlySet<string>;
  #place: Place;
  #waiting: Told[] = [];
  #hasEnded = false;
  #wake: (() => void) | undefined;

  constructor(
    { clientId, accountId, kinds, progress, start }: Wish,
    { principal, authorization }: Admitted,
    times: Times,
  ) {
    this.clientId = clientId;
    this.accountId = accountId;
    this.principal = principal;
    this.authorization = authorization;
    this.endsAt = times.endsAt;
    this.beatAt = times.beatAt;
    this.hasProgress = progress;
    this.#kinds = kinds;
    this.#place = start;
  }

  /** The place up to which changes have been told. */
  get place(): Place {
    return this.#place;
  }

  /** Adds a change of the account to what waits, unless the reader has it. @param make the message, made when somebody needs it */
  tell(kind: string, place: Place, make: () => Change): void {
    if (this.#hasEnded || place.number <= this.#place.number) return;
    const isOver = kind === MERGED && this.#endsWith(make());
    this.#place = place;
    if (this.#wants(kind)) this.#waiting.push({ change: make(), place });
    // The changes of the alias are those of the survivor, which the next stream is for.
    if (isOver || this.#waiting.length >= WAITING_MAX) this.#hasEnded = true;
    this.#wakeUp();
  }

  /** Adds progress of the account to what waits, unless the reader has it. */
  tellProgress(place: Place, progress: Progress): void {
    if (this.#hasEnded || !this.hasProgress || place.number <= this.#place.number) return;
    this.#place = place;
    this.#waiting.push({ progress, place });
    if (this.#waiting.length >= WAITING_MAX) this.#hasEnded = true;
    this.#wakeUp();
  }

  /** Sends a heartbeat to a reader that waits. @param place the place up to which all changes have been told */
  beat(place: Place): void {
    if (this.#hasEnded || this.#waiting.length > 0) return;
    if (place.number > this.#place.number) this.#place = place;
    this.#waiting.push({ place: this.#place });
    this.#wakeUp();
  }

  /** Ends the stream behind what waits. */
  end(): void {
    this.#hasEnded = true;
    this.#wakeUp();
  }

  /** Everything that is told, until the end. */
  async *told(): AsyncIterable<Told> {
    for (;;) {
      const told = this.#waiting;
      this.#waiting = [];
      yield* told;
      if (this.#waiting.length > 0) continue;
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** An account token learns no ids of other accounts: its app reads the account again. */
  #wants(kind: string): boolean {
    if (kind === MERGED && this.principal.account !== undefined) return false;
    return this.#kinds.size === 0 || this.#kinds.has(kind);
  }

  #endsWith({ data }: Change): boolean {
    return data.case === 'accountsMerged' && data.value.accountId === this.accountId;
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

/** By `performance.now()`. */
type Times = { readonly endsAt: number; readonly beatAt: number };
