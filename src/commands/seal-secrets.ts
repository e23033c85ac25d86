import { resealAlertSecrets } from '../alerts/reseal-alert-secrets.ts';
import { resealTokenKeys } from '../clients/account-tokens/token-keys.ts';
import { resealSecondFactors } from '../clients/second-factor/reseal-second-factors.ts';
import type { Config } from '../app/config.ts';
import { createCommandLogger } from '../app/logger.ts';
import { resealWebhookSecrets } from '../webhooks/configuration/reseal-secrets.ts';
import { openSecretBox } from './open-secret-box.ts';
import { openServiceDatabase } from './database/open-service-database.ts';
import { recordCommand } from './operator.ts';

const EVERY_KIND = [resealWebhookSecrets, resealSecondFactors, resealAlertSecrets, resealTokenKeys];

/** `laurel secrets seal`: encrypts every stored secret with the first key of LAUREL_SECRET_KEYS, and exits 1 if one cannot be decrypted. */
export async function sealSecrets(config: Config): Promise<void> {
  const secrets = await openSecretBox(config);
  const database = await openServiceDatabase(config, createCommandLogger());
  try {
    let [resealed, unreadable] = [0, 0];
    for (const reseal of EVERY_KIND) {
      const kind = await reseal(database.db, secrets);
      resealed += kind.resealed;
      unreadable += kind.unreadable;
    }
    if (resealed > 0) await recordCommand(database.db, { name: 'SealSecrets', note: `${resealed} sealed again.` });
    console.log(`${resealed} sealed again, ${unreadable} that no configured key opens.`);
    if (unreadable > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
}
