/** The seconds that a fault test may take. Without the variable the short form runs, with the smallest useful number of rounds. */
export const soakSeconds = Number(process.env.LAUREL_SOAK_SECONDS ?? 0);

/** A size in the short form of a test, and in the long form of `npm run test:soak`. */
export function shortOrLong<Size>(short: Size, long: Size): Size {
  return soakSeconds > 0 ? long : short;
}

/** The seed of all random choices of a fault test. LAUREL_SEED repeats an earlier run. */
export const seed = Number(process.env.LAUREL_SEED ?? (soakSeconds > 0 ? Date.now() % 2 ** 31 : 1));

/** Options for `test(name, LIMITS, ...)`: the long form adds its duration to the usual timeout. */
export const LIMITS = { timeout: 30_000 + soakSeconds * 1_000 };

/** The numbers of the rounds of a fault test: `atLeast` rounds in the short form, rounds until the time is up in the long one. */
export function* rounds(atLeast: number): Generator<number> {
  const end = performance.now() + soakSeconds * 1_000;
  if (soakSeconds > 0) console.log(`LAUREL_SEED=${seed} repeats this run's choices`);
  for (let round = 1; round <= atLeast || performance.now() < end; round += 1) yield round;
}

/** Random numbers from 0 to 1, the same in every run with this seed (mulberry32). */
export function randomNumbers(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
