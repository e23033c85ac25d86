/** A measurement against a reference, in the same run and on the same machine. */
export type Benchmark = {
  readonly name: string;
  /** The subject and the reference, in one sentence. */
  readonly about: string;
  /** The wanted ratio of ours to the reference: the minimum, or the maximum if `lessIsBetter`. */
  readonly aim: number;
  /** True for measurements of time. */
  readonly lessIsBetter?: boolean;
  /** The setting that the run requires. */
  readonly needs?: string;
  /** The default number of rounds; 3 if left out. */
  readonly rounds?: number;
  /**
   * @throws Error if it cannot run here, or if the measured work had a wrong result
   */
  run(settings: Settings): Promise<Result>;
};

/** The length of a measurement. */
export type Settings = {
  /** Seconds of each measurement, after the warm-up. */
  readonly seconds: number;
  /** Measurements of the reference and of ours, in turns; the result has their medians. */
  readonly rounds: number;
};

/** The result of a benchmark. */
export type Result = {
  /** The unit of both numbers, for example `events/s`. */
  readonly unit: string;
  readonly ours: number;
  readonly reference: number;
  /** Further figures by name, ready for printing. */
  readonly details: Readonly<Record<string, string>>;
};

/** A result with the day and the length of its measurement. */
export type KeptResult = Settings &
  Result & {
    /** A day in UTC, `2026-11-23`. */
    readonly measuredOn: string;
  };

/** The ratio of ours to the reference. */
export function ratioOf({ ours, reference }: Pick<Result, 'ours' | 'reference'>): number {
  return ours / reference;
}

/** Whether the aim is met. */
export function isMet({ aim, lessIsBetter }: Benchmark, result: Pick<Result, 'ours' | 'reference'>): boolean {
  const ratio = ratioOf(result);
  return lessIsBetter ? ratio <= aim : ratio >= aim;
}
