import type { SealedSecrets } from '../../persistence/checks/secret-keys.check.ts';

/** The secrets of webhooks. A host without their key cannot send the webhooks, so it is not ready. */
export const sealedWebhookSecrets: SealedSecrets = {
  sql: `select split_part(sealed, '.', 2) as key, count(distinct (client_id, id))::int as count
          from (select client_id, configuration_id as id,
                       unnest(array[authentication_value_sealed, signing_secret_sealed, former_secret_sealed]) as sealed
                  from webhook_configuration
                 union all
                select client_id, id, unnest(array[signing_secret_sealed, former_secret_sealed]) from webhook_endpoint) secrets
         where sealed is not null group by 1 order by 1`,
  holders: (count) => (count === 1 ? '1 webhook holds a secret that was' : `${count} webhooks hold secrets that were`),
  consequence: 'they would not be sent',
  afterLoss: 'have each client store its webhooks again, and rotate the secrets of its endpoints',
  severity: 'fault',
};
