/** One thing that is measured against a reference, in the same run and on the same machine. */
export type Benchmark = {
  readonly name: string;
  /** What is measured against what, in one sentence. */
  readonly about: string;
  /** The ratio of ours to the reference that is wanted: at least this one, or at most where less is better. */
  readonly aim: number;
  /** For what takes time. */
  readonly lessIsBetter?: boolean;
  /** The setting without which it cannot be run. */
  readonly needs?: string;
  /** Rounds, where nobody says how many; 3 by default. */
  readonly rounds?: number;
  /** @throws Error if it cannot be run here, or if what was measured was not done right */
  run(settings: Settings): Promise<Result>;
};

/** How long to measure. */
export type Settings = {
  /** Seconds of each measurement, after the warm-up. */
  readonly seconds: number;
  /** Measurements of the reference and of ours, by turns; their medians count. */
  readonly rounds: number;
};

/** What a benchmark has found. */
export type Result = {
  /** What both numbers count, for example `events/s`. */
  readonly unit: string;
  readonly ours: number;
  readonly reference: number;
  /** Further figures by what they are, ready to be printed. */
  readonly details: Readonly<Record<string, string>>;
};

/** A result, and when and how long it was measured. */
export type KeptResult = Settings &
  Result & {
    /** A day in UTC, `2026-11-23`. */
    readonly measuredOn: string;
  };

/** How often ours does what the reference does once. */
export function ratioOf({ ours, reference }: Pick<Result, 'ours' | 'reference'>): number {
  return ours / reference;
}

/** Whether the aim is met. */
export function isMet({ aim, lessIsBetter }: Benchmark, result: Pick<Result, 'ours' | 'reference'>): boolean {
  const ratio = ratioOf(result);
  return lessIsBetter ? ratio <= aim : ratio >= aim;
}
