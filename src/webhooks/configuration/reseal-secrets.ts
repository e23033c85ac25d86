import { type Resealed, type SecretBox, UnreadableSecret } from '../../kernel/secrets/secret-box.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { type ReceiverKey, RECEIVERS, secretOwner, type WebhookSecret } from './webhook-target.ts';

/** A table with the secrets of receivers: the column of the key, and the sealed columns with the purpose of each. */
type Holder = {
  readonly table: 'webhook_configuration' | 'webhook_endpoint';
  readonly key: string;
  readonly sealed: Readonly<Record<string, WebhookSecret>>;
};

const HOLDERS: readonly Holder[] = [
  {
    table: 'webhook_configuration',
    key: 'type',
    sealed: {
      authentication_value_sealed: 'authentication',
      signing_secret_sealed: 'signing',
      former_secret_sealed: 'signing',
    },
  },
  {
    table: 'webhook_endpoint',
    key: 'id',
    sealed: { signing_secret_sealed: 'signing', former_secret_sealed: 'signing' },
  },
];

/** A receiver with the sealed columns of its table. */
type Row = { readonly key: ReceiverKey } & Readonly<Record<string, string | null>>;

/**
 * Seals every webhook secret under the current key; then older keys may be removed from the configuration. It may be repeated, and run
 * while the service runs.
 * @returns the numbers of resealed receivers, and of receivers with a secret that no configured key opens
 */
export async function resealWebhookSecrets(db: Database, secrets: SecretBox): Promise<Resealed> {
  const clients = await db.systemUnitOfWork((uow) =>
    uow.query<{ id: string }>(`select distinct c.client_id as id from ${RECEIVERS}`),
  );
  const count = { resealed: 0, unreadable: 0 };
  for (const client of clients) {
    for (const holder of HOLDERS) {
      const results = await db.unitOfWork(client.id, (uow) => resealHolder(uow, secrets, holder));
      for (const result of results) count[result] += 1;
    }
  }
  return count;
}

/** The rows stay locked, so that a concurrent PUT is not overwritten with the former secret. */
async function resealHolder(
  uow: UnitOfWork,
  secrets: SecretBox,
  holder: Holder,
): Promise<Array<'resealed' | 'unreadable'>> {
  const { table, key, sealed } = holder;
  const columns = Object.keys(sealed);
  const rows = await uow.query<Row>(
    `select ${key}::text as key, ${columns.join(', ')} from ${table} where client_id = $1 order by ${key} for update`,
    [uow.clientId],
  );
  const results: Array<'resealed' | 'unreadable'> = [];
  for (const row of rows) {
    if (columns.every((column) => row[column] == null || secrets.isCurrent(row[column]))) continue;
    const result = await resealRow(uow, secrets, holder, row).catch((error: unknown) => {
      if (error instanceof UnreadableSecret) return 'unreadable' as const;
      throw error;
    });
    results.push(result);
  }
  return results;
}

async function resealRow(
  uow: UnitOfWork,
  secrets: SecretBox,
  { table, key, sealed }: Holder,
  row: Row,
): Promise<'resealed'> {
  const again = Object.entries(sealed).map(([column, secret]) => {
    const owner = secretOwner({ clientId: uow.clientId, key: row.key }, secret);
    const text = row[column];
    return text == null ? null : secrets.seal(secrets.open(text, owner), owner);
  });
  const assignments = Object.keys(sealed).map((column, index) => `${column} = $${index + 3}`);
  await uow.query(`update ${table} set ${assignments.join(', ')} where client_id = $1 and ${key}::text = $2`, [
    uow.clientId,
    row.key,
    ...again,
  ]);
  return 'resealed';
}
