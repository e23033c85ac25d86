import type { SealedSecrets } from '../persistence/checks/secret-keys.check.ts';

/** The signing secrets of alerts. Without their key the service sends no alerts by webhook, but serves calls. */
export const sealedAlertSecrets: SealedSecrets = {
  sql: `select split_part(signing_secret_sealed, '.', 2) as key, count(*)::int as count
          from alert_setting where signing_secret_sealed is not null group by 1 order by 1`,
  holders: (count) =>
    count === 1
      ? "1 client's alerts have a signing secret that was"
      : `The alerts of ${count} clients have signing secrets that were`,
  consequence: 'their webhooks would not be sent',
  afterLoss: 'have each client make a new signing secret on its page "Alerts"',
  severity: 'fault at start',
};
