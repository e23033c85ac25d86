import { join } from 'node:path';
import type { Config } from '../app/config.ts';
import { createSecretBox, type SecretBox } from '../kernel/secrets/secret-box.ts';
import { secretKeysFromFile, secretKeysFromText } from '../kernel/secrets/secret-keys.ts';

/** The box over the configured keys, or over a key in the data folder, which is created if missing. */
export async function openSecretBox({ secretKeys, dataFolder }: Config): Promise<SecretBox> {
  const keys = secretKeys ? secretKeysFromText(secretKeys) : await secretKeysFromFile(join(dataFolder, 'secret.key'));
  return createSecretBox(keys);
}
