import type { SealedSecrets } from '../../persistence/checks/secret-keys.check.ts';

/** The secrets of webhooks. A host without their key cannot send the webhooks, so it is not ready. */
export const sealedWebhookSecrets: SealedSecrets = {
  sql: `select split_part(sealed, '.', 2) as key, count(distinct (client_id, type))::int as count
          from webhook_configuration
         cross join lateral unnest(array[authentication_value_sealed, signing_secret_sealed, former_secret_sealed]) as sealed
         where sealed is not null group by 1 order by 1`,
  holders: (count) => (count === 1 ? '1 webhook holds a secret that was' : `${count} webhooks hold secrets that were`),
  consequence: 'they would not be sent',
  afterLoss: 'have each client store its webhook again',
  severity: 'fault',
};
