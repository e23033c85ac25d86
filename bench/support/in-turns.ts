import type { Settings } from '../benchmark.ts';

/** The measurements of several rounds, in their order. */
export type Turns<Reference, Ours> = { readonly reference: readonly Reference[]; readonly ours: readonly Ours[] };

/** Measures in turns, so that other load on the machine affects the reference and ours equally. */
export async function inTurns<Reference, Ours>(
  { rounds, seconds }: Settings,
  measureReference: (seconds: number) => Promise<Reference>,
  measureOurs: (seconds: number) => Promise<Ours>,
): Promise<Turns<Reference, Ours>> {
  const turns = { reference: [] as Reference[], ours: [] as Ours[] };
  for (let round = 0; round < rounds; round += 1) {
    turns.reference.push(await measureReference(seconds));
    turns.ours.push(await measureOurs(seconds));
  }
  return turns;
}
