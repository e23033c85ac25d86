const { LAUREL_PROPERTY_RUNS: runs, LAUREL_PROPERTY_SEED: seed } = process.env;

/** The number of worlds that LAUREL_PROPERTY_RUNS asks for: more for a long look, fewer on a cluster. Else undefined. */
export const runsOnDemand = runs === undefined ? undefined : Number(runs);

/**
 * How many worlds a property plays, and from which seed. The seed is fixed, so that a failure repeats on every machine.
 * `LAUREL_PROPERTY_RUNS=500 LAUREL_PROPERTY_SEED=7` plays more worlds and other ones.
 */
export const runsOf = (usual: { readonly numRuns: number; readonly seed: number }) => ({
  numRuns: runsOnDemand ?? usual.numRuns,
  seed: seed === undefined ? usual.seed : Number(seed),
});
