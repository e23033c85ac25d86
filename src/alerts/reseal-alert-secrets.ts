import { type SecretBox, UnreadableSecret } from '../kernel/secret-box.ts';
import type { Database } from '../persistence/database.ts';
import { alertTarget, secretOwner } from '../webhooks/configuration/webhook-target.ts';

/**
 * Seals the signing secrets of all alerts under the current key. May be repeated, and run while the service runs.
 * @returns how many were sealed again, and how many no configured key opens
 */
export async function resealAlertSecrets(
  db: Database,
  secrets: SecretBox,
): Promise<{ resealed: number; unreadable: number }> {
  const settings = await db.systemUnitOfWork((uow) =>
    uow.query<{ clientId: string; sealed: string }>(
      `select client_id as "clientId", signing_secret_sealed as sealed from alert_setting
        where signing_secret_sealed is not null order by client_id`,
    ),
  );
  const count = { resealed: 0, unreadable: 0 };
  for (const { clientId, sealed } of settings.filter((each) => !secrets.isCurrent(each.sealed))) {
    try {
      const owner = secretOwner(alertTarget(clientId, '', null), 'signing');
      const again = secrets.seal(secrets.open(sealed, owner), owner);
      // One that was rotated since is sealed under the current key already.
      await db.unitOfWork(clientId, (uow) =>
        uow.query(
          'update alert_setting set signing_secret_sealed = $3 where client_id = $1 and signing_secret_sealed = $2',
          [clientId, sealed, again],
        ),
      );
      count.resealed += 1;
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      count.unreadable += 1;
    }
  }
  return count;
}
