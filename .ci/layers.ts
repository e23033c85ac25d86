/**
 * The layers: what each folder of `src` may import directly. What those stand on comes with them, so
 * `rewards` may import `persistence` too. A file that lies in `src` itself wires the modules together and may import all.
 * A new folder gets its line here first; the linter refuses it until then.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  engine: ['kernel'],
  persistence: ['engine'],
  // Below the clients, whose own operations are changes to record as well.
  audit: ['persistence', 'gen'],
  clients: ['audit'],
  // Below the modules, because all of them tell it what happened.
  statistics: ['clients'],
  idempotency: ['statistics'],
  accounts: ['idempotency'],
  audiences: ['accounts'],
  loyalty: ['accounts'],
  redemptions: ['accounts'],
  webhooks: ['idempotency'],
  rewards: ['loyalty', 'redemptions', 'webhooks'],
  campaigns: ['audiences', 'rewards'],
  marketplace: ['campaigns'],
  triggers: ['marketplace'],
  imports: ['audiences', 'rewards'],
  housekeeping: ['triggers', 'imports'],
  server: ['triggers', 'imports'],
  gateway: ['server'],
  // What one command of the command line does; it opens and wires like the files of `src` itself.
  commands: ['gateway', 'main'],
  console: ['gen'],
  gen: [],
};

/** Why a file of `from` may not import a file of `to`, in words that say what to do instead; undefined when it may. */
export function refusal(from: string, to: string, file: string): string | undefined {
  if (from === to || from === MAIN) return undefined;
  if (!layers[from]) return `src/${from} is in no layer: give it a line in .ci/layers.ts.`;
  if (!standsOn(from, to)) {
    return `src/${from} may not import ${to}, which does not stand below it (.ci/layers.ts): let ${to} call ${from}, or take what is needed as an argument.`;
  }
  if (file.endsWith('.entity.ts')) {
    return `A module's tables are touched by that module only: call a function of ${to} instead of importing its entity.`;
  }
  return undefined;
}

/** The module of files that lie in `src` itself. */
export const MAIN = 'main';

function standsOn(upper: string, lower: string): boolean {
  return (layers[upper] ?? []).some((step) => step === lower || standsOn(step, lower));
}
