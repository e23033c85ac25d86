import { type Resealed, resealed, type SecretBox } from '../kernel/secrets/secret-box.ts';
import type { Database } from '../persistence/database.ts';
import { alertSecretOwner } from './delivery/alert-target.ts';

/**
 * Encrypts the signing secrets of all alerts with the current key. May be repeated, and run while the service runs.
 * @returns the number of encrypted secrets, and of secrets that no configured key decrypts
 */
export async function resealAlertSecrets(db: Database, secrets: SecretBox): Promise<Resealed> {
  const settings = await db.systemUnitOfWork((uow) =>
    uow.query<{ clientId: string; sealed: string }>(
      `select client_id as "clientId", signing_secret_sealed as sealed from alert_setting
        where signing_secret_sealed is not null order by client_id`,
    ),
  );
  const count = { resealed: 0, unreadable: 0 };
  for (const { clientId, sealed } of settings.filter((each) => !secrets.isCurrent(each.sealed))) {
    const again = resealed(secrets, sealed, alertSecretOwner(clientId));
    count[again === undefined ? 'unreadable' : 'resealed'] += 1;
    if (again === undefined) continue;
    // A secret that was rotated meanwhile is already encrypted with the current key.
    await db.unitOfWork(clientId, (uow) =>
      uow.query(
        'update alert_setting set signing_secret_sealed = $3 where client_id = $1 and signing_secret_sealed = $2',
        [clientId, sealed, again],
      ),
    );
  }
  return count;
}
