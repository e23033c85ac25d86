import { type Check, abbreviated, type Finding, type Inspection, type Severity } from './check.ts';

/** The ids of the keys that can decrypt secrets, without the keys. */
export type ConfiguredKeys = {
  /** The ids of all configured keys. */
  readonly ids: readonly string[];
  /** The source of the keys, for a sentence: `LAUREL_SECRET_KEYS`, or a file. */
  readonly source: string;
  /** Whether an operator has accepted the loss of a key; then a missing key is only a warning. */
  readonly lossAccepted: boolean;
};

/** A kind of secrets that a module keeps sealed in its tables. */
export type SealedSecrets = {
  /** SQL for all clients: one row for each key of sealed secrets, with the number of its holders. */
  readonly sql: string;
  /** The words for the holders, for example `1 webhook holds a secret that was`. */
  readonly holders: (count: number) => string;
  /** The effect of a missing key, as the end of a sentence. */
  readonly consequence: string;
  /** The remedy for a key that is lost for good, as the end of a sentence. */
  readonly afterLoss: string;
  /** The severity of a missing key, unless its loss is accepted. */
  readonly severity: Severity;
};

type Sealed = { readonly key: string; readonly count: number };

/** Checks that the keys of sealed secrets are configured. A dump of the database contains no keys. */
export function secretKeysCheck(keys: ConfiguredKeys, kinds: readonly SealedSecrets[]): Check {
  return {
    name: 'secret keys',
    after: ['server', 'roles', 'migrations', 'tables', 'rights'],
    async run({ asSystem }) {
      const found: Array<Sealed & { readonly kind: SealedSecrets }> = [];
      for (const kind of kinds) for (const each of await sealedOf(kind, asSystem)) found.push({ ...each, kind });
      const lost = found.filter(({ key }) => !keys.ids.includes(key));
      return {
        seen:
          found.length === 0
            ? `${keys.ids.length} key(s) in ${keys.source}; no secret is stored.`
            : `Every stored secret is sealed under a key of ${keys.source}.`,
        findings: lost.map((each) => missing(each.kind, each, keys)),
      };
    },
  };
}

function sealedOf({ sql }: SealedSecrets, asSystem: Inspection['asSystem']): Promise<Sealed[]> {
  return asSystem<Sealed>(sql);
}

function missing(kind: SealedSecrets, { key, count }: Sealed, keys: ConfiguredKeys): Finding {
  const { ids, source, lossAccepted } = keys;
  const configured = ids.length === 0 ? `${source} has no key` : `${source} has ${abbreviated(ids)}`;
  return {
    severity: lossAccepted ? 'warning' : kind.severity,
    problem: `${kind.holders(count)} sealed under key ${key}, which is not configured (${configured}): ${kind.consequence}.`,
    remedy: `Put the key that this database was used with behind the current one in LAUREL_SECRET_KEYS, or copy the secret.key of the old host into the data folder. If it is lost, start with LAUREL_ACCEPT_LOST_SECRETS=true and ${kind.afterLoss} (docs/backup.md).`,
  };
}
