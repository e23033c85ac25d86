// A dispatcher in a separate process, for tests that kill it: `node dispatcher-process.ts <database> <key in base64>`.
import { pino } from 'pino';
import { entities } from '../../../src/app/entities.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import { secretKeysFromText } from '../../../src/kernel/secrets/secret-keys.ts';
import { openDatabase } from '../../../src/persistence/database.ts';
import { createDispatcher } from '../../../src/webhooks/delivery/dispatcher.ts';
import { systemClock } from '../../../src/kernel/time/clock.ts';
import { createWebhookSender } from '../../../src/webhooks/delivery/webhook-sender.ts';

const [url = '', key = ''] = process.argv.slice(2);
const db = await openDatabase({ url, entities, poolMax: 4 });
const sender = createWebhookSender({
  secrets: createSecretBox(secretKeysFromText(key)),
  allowPrivate: true,
  clock: systemClock,
});
createDispatcher({ db, sender, logger: pino({ level: 'silent' }), pollMs: 25 }).start();
