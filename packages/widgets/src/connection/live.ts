import { eventsOf } from './event-stream.ts';
import { Refused } from './refused.ts';

/** The kinds of changes that happened; undefined if any may have. */
export type Changed = string | undefined;

type Listener = (kind: Changed) => void;

/** Opens the stream of the account. */
export type OpenStream = (headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Response>;

/** The data of an event: the first one is the beginning, the others are changes. */
type Told = {
  readonly opened?: { readonly accountId: string };
  readonly change?: { readonly type: string };
  readonly progress?: object;
};

/** Stands beside the kinds of changes for the progress of missions, which is none. */
export const PROGRESS = 'PROGRESS';

/** Milliseconds. The service sends a heartbeat every 30 seconds. */
const SILENCE_MS = 75_000;
const READ_AGAIN_MS = 30_000;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000] as const;
const SPREAD_MS = 2_000;
const HIDDEN_MS = 60_000;

/**
 * Says what changed in the account, by its stream, as long as somebody listens. Without a stream, because the feed of changes is off or too
 * many are open, it says every 30 seconds that anything may have changed. A page that nobody sees for a minute has no stream.
 */
export class Live {
  readonly #open: OpenStream;
  readonly #listeners = new Set<Listener>();
  /** Ends everything when the last listener leaves. */
  #gone = new AbortController();
  /** Ends the open stream; the loop continues. */
  #cut = new AbortController();
  #wake = (): void => undefined;
  #lastId: string | undefined;
  #accountId: string | undefined;
  #hiding: ReturnType<typeof setTimeout> | undefined;

  constructor(open: OpenStream) {
    this.#open = open;
  }

  /** @returns the end of listening */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#begin();
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#end();
    };
  }

  #begin(): void {
    this.#gone = new AbortController();
    const { signal } = this.#gone;
    addEventListener('online', () => this.#wake(), { signal });
    addEventListener('offline', () => this.#cut.abort(), { signal });
    document.addEventListener('visibilitychange', () => this.#look(), { signal });
    void this.#run(signal);
  }

  #end(): void {
    clearTimeout(this.#hiding);
    this.#gone.abort();
    this.#cut.abort();
    this.#wake();
  }

  #look(): void {
    clearTimeout(this.#hiding);
    if (document.hidden) this.#hiding = setTimeout(() => this.#cut.abort(), HIDDEN_MS);
    else this.#wake();
  }

  async #run(gone: AbortSignal): Promise<void> {
    let failures = 0;
    while (!gone.aborted) {
      try {
        await this.#follow(failures > 0, () => (failures = 0));
        if (gone.aborted) return;
        // All streams of a process end with it: they come back one after the other.
        await this.#pause(Math.random() * SPREAD_MS);
      } catch (error) {
        if (gone.aborted) return;
        if (error instanceof Refused) {
          await this.#withoutStream(error);
          continue;
        }
        const most = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]!;
        failures += 1;
        await this.#pause(most * (0.5 + Math.random() / 2));
      }
      if (document.hidden && this.#cut.signal.aborted) await this.#pause(Number.POSITIVE_INFINITY);
    }
  }

  /** Reads one stream to its end. */
  async #follow(hasMissed: boolean, onOpened: () => void): Promise<void> {
    this.#cut = new AbortController();
    const cut = this.#cut;
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const alive = (): void => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => cut.abort(), SILENCE_MS);
    };
    try {
      alive();
      const headers: Record<string, string> = this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId };
      const isNew = this.#lastId === undefined;
      const response = await this.#open(headers, cut.signal);
      for await (const { id, data } of eventsOf(response.body!, alive)) {
        const told = data === undefined ? {} : (JSON.parse(data) as Told);
        if (told.opened !== undefined) {
          // The account is read behind the beginning of the stream, so that nothing falls between the two.
          // After a merge it is another account, whose stream has not told what is different.
          const isOther = told.opened.accountId !== this.#accountId;
          if (isNew || hasMissed || isOther) this.#tell(undefined);
          this.#accountId = told.opened.accountId;
          onOpened();
        }
        if (told.change !== undefined) this.#tell(told.change.type);
        if (told.progress !== undefined) this.#tell(PROGRESS);
        this.#lastId = id ?? this.#lastId;
      }
    } finally {
      clearTimeout(watchdog);
    }
  }

  async #withoutStream({ status }: Refused): Promise<void> {
    const wasPlaced = this.#lastId !== undefined;
    this.#lastId = undefined;
    // The place is too far back: the next stream begins at the present.
    if (status === 410 && wasPlaced) return;
    await this.#pause(READ_AGAIN_MS);
    if (!document.hidden) this.#tell(undefined);
  }

  #tell(kind: Changed): void {
    for (const listener of this.#listeners) listener(kind);
  }

  /** Waits, until the network or the visitor is back. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = Number.isFinite(milliseconds) ? setTimeout(resolve, milliseconds) : undefined;
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
