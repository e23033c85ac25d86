/** The time between two lines of progress, in milliseconds. */
const EVERY_MS = 200;

/** The counts of a replay; on a terminal it shows them while it runs. */
export class ReplayProgress {
  applied = 0;
  refused = 0;
  /** The line after the last one that was answered. */
  nextLine = 1;
  #bytesRead = 0;
  #shownAtMs = -Infinity;
  readonly #beganAtMs = performance.now();
  readonly #bytes: number | undefined;

  /** @param bytes the size of the file; undefined for standard input */
  constructor(bytes: number | undefined) {
    this.#bytes = bytes;
  }

  /** Counts bytes that were read. */
  read(bytes: number): void {
    this.#bytesRead += bytes;
  }

  /** Counts and reports a refused line. */
  refuse(line: number, reason: string): void {
    this.refused += 1;
    this.end();
    console.error(`line ${line}: ${reason}`);
  }

  /** Shows the counts on a terminal, a few times a second. */
  show(): void {
    const nowMs = performance.now();
    if (!process.stderr.isTTY || nowMs - this.#shownAtMs < EVERY_MS) return;
    this.#shownAtMs = nowMs;
    const perSecond = Math.round((this.applied / (nowMs - this.#beganAtMs)) * 1_000);
    const share = this.#bytes ? `${Math.min(100, Math.floor((this.#bytesRead / this.#bytes) * 100))} %, ` : '';
    process.stderr.write(`\r\u001b[K${share}${this.applied} applied, ${this.refused} refused, ${perSecond} a second`);
  }

  /** Clears the line of progress. */
  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
  }
}
