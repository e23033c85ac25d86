import type { Benchmark, Result, Settings } from './benchmark.ts';

/** A benchmark whose measurement is that of a group. */
export type Part = Omit<Benchmark, 'name' | 'run'>;

/**
 * Benchmarks that share what is dear to set up: whichever is run first measures them all, the others give what it found.
 * They are named `group:part`.
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
