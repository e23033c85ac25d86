import { join } from 'node:path';
import { sealedAlertSecrets } from '../../alerts/sealed-alert-secrets.ts';
import { sealedTokenKeys } from '../../clients/account-tokens/token-keys.ts';
import { sealedSecondFactors } from '../../clients/second-factor/sealed-second-factors.ts';
import type { Config } from '../../app/config.ts';
import { secretKeyIds } from '../../kernel/secrets/secret-box.ts';
import { secretKeysFromText, secretKeysIfThere } from '../../kernel/secrets/secret-keys.ts';
import type { Check, Finding } from '../../persistence/checks/check.ts';
import { databaseChecks } from '../../persistence/checks/database-checks.ts';
import { secretKeysCheck } from '../../persistence/checks/secret-keys.check.ts';
import { sealedWebhookSecrets } from '../../webhooks/configuration/sealed-webhook-secrets.ts';

/** All kinds of stored secrets. */
const SEALED = [sealedWebhookSecrets, sealedAlertSecrets, sealedSecondFactors, sealedTokenKeys];

/**
 * The checks before the service starts, while it runs, and of `laurel doctor`: one list for all three.
 * @throws Error if a configured key is malformed
 */
export async function serviceChecks({ secretKeys, dataFolder, acceptLostSecrets }: Config): Promise<readonly Check[]> {
  const file = join(dataFolder, 'secret.key');
  const keys = secretKeys ? secretKeysFromText(secretKeys) : await secretKeysIfThere(file);
  const configured = {
    ids: secretKeyIds(keys),
    source: secretKeys ? 'LAUREL_SECRET_KEYS' : file,
    lossAccepted: acceptLostSecrets,
  };
  return [...databaseChecks, secretKeysCheck(configured, SEALED)];
}

/** The service or a command cannot start; the message lists all findings. */
export class RefusedByChecks extends Error {
  override readonly name = 'RefusedByChecks';

  constructor(faults: readonly Finding[], cause?: unknown) {
    super(faults.map(({ problem, remedy }) => `${problem}\n  ${remedy}`).join('\n'), { cause });
  }
}
