import { RECEIVERS } from './webhook-target.ts';
import type { SealedSecrets } from '../../persistence/checks/secret-keys.check.ts';

/** The secrets of webhooks. A host without their key cannot send the webhooks, so it is not ready. */
export const sealedWebhookSecrets: SealedSecrets = {
  sql: `select split_part(sealed, '.', 2) as key, count(distinct (c.client_id, c.configuration_id))::int as count
          from ${RECEIVERS}
         cross join lateral unnest(array[c.authentication_value_sealed, c.signing_secret_sealed, c.former_secret_sealed]) as sealed
         where sealed is not null group by 1 order by 1`,
  holders: (count) => (count === 1 ? '1 webhook holds a secret that was' : `${count} webhooks hold secrets that were`),
  consequence: 'they would not be sent',
  afterLoss: 'have each client store its webhooks again, and rotate the secrets of its endpoints',
  severity: 'fault',
};
