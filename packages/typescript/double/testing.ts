// The program of `@laurel/client/testing`; `../src/testing.ts` declares its types.
import type { DoubleOptions, LaurelDouble as Declared } from '../src/testing.ts';
import { doubleTransport } from './services.ts';

/** See `../src/testing.ts`. */
export class LaurelDouble implements Declared {
  readonly transport: Declared['transport'];
  #now: number | undefined;

  constructor({ now, timeZone = 'UTC' }: DoubleOptions = {}) {
    if (now !== undefined) this.now = now;
    this.transport = doubleTransport(timeZone, () => this.now);
  }

  get now(): Date {
    return new Date(this.#now ?? Date.now());
  }

  set now(moment: Date | string) {
    const ms = new Date(moment).getTime();
    if (Number.isNaN(ms))
      throw new TypeError(`${String(moment)} is no moment: send a Date, or text such as 2026-12-24T18:00:00Z.`);
    this.#now = ms;
  }

  pass(ms: number): void {
    this.#now = this.now.getTime() + ms;
  }
}
