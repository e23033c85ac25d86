import type { SealedSecrets } from '../../persistence/checks/secret-keys.check.ts';

/** The secrets of second factors. Recovery codes and a reset need no key, so a missing key does not prevent the start. */
export const sealedSecondFactors: SealedSecrets = {
  sql: `select split_part(second_factor_sealed, '.', 2) as key, count(*)::int as count
          from console_user where second_factor_sealed is not null group by 1 order by 1`,
  holders: (count) =>
    count === 1 ? '1 person has a second factor that was' : `${count} people have second factors that were`,
  consequence: 'their authenticator apps would not let them in, only a recovery code',
  afterLoss: 'have an administrator reset their second factors',
  severity: 'warning',
};
