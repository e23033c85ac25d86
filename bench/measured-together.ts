import type { Benchmark, Result, Settings } from './benchmark.ts';

/** A benchmark that is measured with a group. */
export type Part = Omit<Benchmark, 'name' | 'run'>;

/**
 * Benchmarks that share an expensive set-up: the first to run measures them all, the others return its results. They are named
 * `group:part`.
 */
export function measuredTogether<Name extends string>(
  group: string,
  parts: Readonly<Record<Name, Part>>,
  measure: (settings: Settings) => Promise<Readonly<Record<Name, Result>>>,
): Benchmark[] {
  let measured: Promise<Readonly<Record<Name, Result>>> | undefined;
  return Object.entries<Part>(parts).map(([name, part]) => ({
    ...part,
    name: `${group}:${name}`,
    run: async (settings) => (await (measured ??= measure(settings)))[name as Name],
  }));
}
