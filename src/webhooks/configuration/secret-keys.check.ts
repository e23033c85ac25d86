import { type Check, few, type Finding } from '../../persistence/checks/check.ts';

/** What the service can open secrets with, without the keys themselves. */
export type ConfiguredKeys = {
  /** Of every configured key. */
  readonly ids: readonly string[];
  /** Where they come from, for a sentence: `LAUREL_SECRET_KEYS`, or a file. */
  readonly source: string;
  /** An operator has lost a key and accepts it: then what it sealed is a warning. */
  readonly lossAccepted: boolean;
};

type Sealed = { readonly key: string; readonly webhooks: number };

/** Whether the keys that webhook secrets are sealed under are configured. A key is in no dump of the database. */
export function secretKeysCheck(keys: ConfiguredKeys): Check {
  return {
    name: 'secret keys',
    after: ['server', 'roles', 'migrations', 'tables', 'rights'],
    async run({ asSystem }) {
      const sealed = await asSystem<Sealed>(
        `select split_part(sealed, '.', 2) as key, count(distinct (client_id, type))::int as webhooks
           from webhook_configuration
          cross join lateral unnest(array[authentication_value_sealed, signing_secret_sealed, former_secret_sealed]) as sealed
          where sealed is not null group by 1 order by 1`,
      );
      const lost = sealed.filter(({ key }) => !keys.ids.includes(key));
      return {
        seen:
          sealed.length === 0
            ? `${keys.ids.length} key(s) in ${keys.source}; no webhook holds a secret.`
            : `Every secret of a webhook is sealed under a key of ${keys.source}.`,
        findings: lost.map((each) => missing(each, keys)),
      };
    },
  };
}

function missing({ key, webhooks }: Sealed, { ids, source, lossAccepted }: ConfiguredKeys): Finding {
  const configured = ids.length === 0 ? `${source} has no key` : `${source} has ${few(ids)}`;
  const subject = webhooks === 1 ? '1 webhook holds a secret that was' : `${webhooks} webhooks hold secrets that were`;
  return {
    severity: lossAccepted ? 'warning' : 'fault',
    problem: `${subject} sealed under key ${key}, which is not configured (${configured}): they would not be sent.`,
    remedy:
      'Put the key that this database was used with behind the current one in LAUREL_SECRET_KEYS, or copy the secret.key of the old host into the data folder. If it is lost, start with LAUREL_ACCEPT_LOST_SECRETS=true and have each client store its webhook again (docs/backup.md).',
  };
}
