import { type Check, abbreviated, type Finding, type Inspection, type Severity } from './check.ts';

/** The ids of the keys that can decrypt secrets, without the keys. */
export type ConfiguredKeys = {
  /** Of every configured key. */
  readonly ids: readonly string[];
  /** Where they come from, for a sentence: `LAUREL_SECRET_KEYS`, or a file. */
  readonly source: string;
  /** An operator has lost a key and accepts it: then what it sealed is a warning. */
  readonly lossAccepted: boolean;
};

/** A kind of secrets that a module keeps sealed in its tables. */
export type SealedSecrets = {
  /** For every client: one row for each key that secrets are sealed under, with how many hold such a secret. */
  readonly sql: string;
  /** Who holds the secrets that were, as `1 webhook holds a secret that was`. */
  readonly holders: (count: number) => string;
  /** The effect of a missing key, as the end of a sentence. */
  readonly consequence: string;
  /** The remedy for a key that is lost for good, as the end of a sentence. */
  readonly afterLoss: string;
  /** How bad a missing key is, unless its loss is accepted. */
  readonly severity: Severity;
};

type Sealed = { readonly key: string; readonly count: number };

/** Whether the keys that secrets are sealed under are configured. A key is in no dump of the database. */
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
