import { type Resealed, type SecretBox, UnreadableSecret } from '../../kernel/secrets/secret-box.ts';
import { propertiesOf, type RowOf } from '../../persistence/columns-of.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { webhookConfigurationTable } from './webhook-configuration.entity.ts';
import { secretOwner, type WebhookSecret } from './webhook-target.ts';

const SEALED = propertiesOf(webhookConfigurationTable, [
  'clientId',
  'type',
  'authenticationValueSealed',
  'signingSecretSealed',
  'formerSecretSealed',
]);

type SealedSecrets = RowOf<typeof SEALED>;

/**
 * Seals every webhook secret under the current key; then older keys may be removed from the configuration. It may be repeated, and run
 * while the service runs.
 * @returns the numbers of resealed configurations, and of configurations with a secret that no configured key opens
 */
export async function resealWebhookSecrets(db: Database, secrets: SecretBox): Promise<Resealed> {
  const clients = await db.systemUnitOfWork((uow) =>
    uow.query<{ id: string }>('select distinct client_id as id from webhook_configuration'),
  );
  const count = { resealed: 0, unreadable: 0 };
  for (const client of clients) {
    for (const result of await db.unitOfWork(client.id, (uow) => resealClient(uow, secrets))) count[result] += 1;
  }
  return count;
}

/** The rows stay locked, so that a concurrent PUT is not overwritten with the former secret. */
async function resealClient(uow: UnitOfWork, secrets: SecretBox): Promise<Array<'resealed' | 'unreadable'>> {
  const rows = await uow.query<SealedSecrets>(
    `select ${SEALED} from webhook_configuration where client_id = $1 order by type for update`,
    [uow.clientId],
  );
  const results: Array<'resealed' | 'unreadable'> = [];
  for (const row of rows) {
    const sealed = [row.authenticationValueSealed, row.signingSecretSealed, row.formerSecretSealed];
    if (sealed.every((text) => text === null || secrets.isCurrent(text))) continue;
    const result = await resealRow(uow, secrets, row).catch((error: unknown) => {
      if (error instanceof UnreadableSecret) return 'unreadable' as const;
      throw error;
    });
    results.push(result);
  }
  return results;
}

async function resealRow(uow: UnitOfWork, secrets: SecretBox, row: SealedSecrets): Promise<'resealed'> {
  const reseal = (sealed: string | null, secret: WebhookSecret): string | null => {
    const owner = secretOwner(row, secret);
    return sealed === null ? null : secrets.seal(secrets.open(sealed, owner), owner);
  };
  const authentication = reseal(row.authenticationValueSealed, 'authentication');
  const signing = reseal(row.signingSecretSealed, 'signing');
  const former = reseal(row.formerSecretSealed, 'signing');
  await uow.query(
    `update webhook_configuration set authentication_value_sealed = $3, signing_secret_sealed = $4, former_secret_sealed = $5
      where client_id = $1 and type = $2`,
    [uow.clientId, row.type, authentication, signing, former],
  );
  return 'resealed';
}
