import { entities } from '../../src/app/entities.ts';
import { openDatabase } from '../../src/persistence/database.ts';
import { accountIdOf } from '../growth/accounts.ts';
import { executeSql } from '../support/execute-sql.ts';
import { migratedDatabase } from '../support/migrated-database.ts';
import { type RestCall, restCalls } from '../support/rest-calls.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { createCredential, createTenant } from '../support/tenant.ts';
import type { Workbench } from '../support/workbench.ts';
import { NEVER_ANALYSED } from '../worlds/world.ts';
import { CODES, PARTITIONS, populateJournal, RARE } from './journal.ts';
import { populate } from './population.ts';
import { withoutSearchIndexes } from './search-indexes.ts';

/** A client whose campaigns have run for a year, and an operator. */
export type World = {
  readonly databaseUrl: string;
  readonly baseUrl: string;
  /** The token of an operator with every right. */
  readonly token: string;
  /** The key of the client's own systems, for calls that operators may not make. */
  readonly apiKey: string;
  /** The values of path parameters, by name. */
  readonly ids: Readonly<Record<string, string>>;
  /** Seconds to fill the tables. */
  readonly populatedIn: number;
};

/** The number of accounts and entries. */
export type WorldSize = { readonly accountCount: number; readonly entries: number };

const CAMPAIGNS = 200;
const PRODUCTS = 200;

/** Creates the database, never analysed, and starts the service on it. */
export async function createWorld(workbench: Workbench, { accountCount, entries }: WorldSize): Promise<World> {
  const databaseUrl = await migratedDatabase(workbench.databaseUrl, 'console');
  const db = await openDatabase({ url: databaseUrl, entities, poolMax: 4, statementTimeoutMs: 300_000 });
  workbench.cleanUps.push(() => db.close());
  const { clientId, apiKey } = await createTenant(db);
  const token = await createCredential(db, clientId, 'ACCESS_TOKEN', 'SERVICE_ADMIN');
  const { baseUrl } = await startServiceProcess(workbench, { name: 'console', databaseUrl });
  const catalogue = await createCatalogue(restCalls(baseUrl, token));
  const [item] = await db.unitOfWork(clientId, (uow) =>
    uow.query<{ id: string }>('select id from product_item where product_id = $1', [catalogue.productIds[0]]),
  );
  const begun = performance.now();
  await executeSql(databaseUrl, [PARTITIONS, NEVER_ANALYSED]);
  await withoutSearchIndexes(databaseUrl, ['account', 'journal_batch'], async () => {
    const [missionId] = catalogue.missionIds as [string];
    await Promise.all([
      populate(db, { clientId, accountCount, itemId: item!.id, ...catalogue }),
      populateJournal(db, { clientId, accountCount, entries, missionId }),
    ]);
  });
  const { audienceId, agreementId, productIds, campaignIds, rewardId } = catalogue;
  return {
    databaseUrl,
    baseUrl,
    token,
    apiKey,
    ids: {
      audience_id: audienceId,
      agreement_id: agreementId,
      account_id: accountIdOf(0),
      product_id: productIds[0]!,
      campaign_id: campaignIds[0]!,
      reward_id: rewardId,
    },
    populatedIn: (performance.now() - begun) / 1_000,
  };
}

/** Creates the catalogue that an operator makes over time. */
async function createCatalogue(admin: RestCall) {
  for (const programmaticCode of [...CODES, RARE])
    await admin('POST', '/admin/event-definitions', { programmaticCode, type: 'SINGLE' });
  const everyone = await admin('POST', '/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const audience = await admin('POST', '/admin/audiences', { name: 'One by one', kind: 'MANUAL' });
  const reward = await admin('POST', '/admin/rewards', { name: '50 points', type: 'POINTS', amount: 50 });
  const productIds: string[] = [];
  for (let number = 0; number < PRODUCTS; number += 1) {
    const stock =
      number === 0 ? { stockMode: 'CODES', itemNames: ['Voucher'] } : { stockMode: 'COUNTED', stock: 1_000 };
    const product = await admin('POST', '/admin/products', { name: `Product ${number}`, ...stock, pointsCost: 20 });
    productIds.push(product.id);
  }
  const agreement = await admin('POST', '/admin/agreements', { name: 'Agreement', stock: 1_000_000 });
  const publication = await admin('POST', '/admin/publications', {
    name: 'Publication',
    stock: 100,
    pointsCost: 20,
    productId: productIds[1],
  });
  const [campaignIds, missionIds]: [string[], string[]] = [[], []];
  for (let number = 0; number < CAMPAIGNS; number += 1) {
    const campaign = await admin('POST', '/admin/campaigns', {
      name: `Campaign ${number}`,
      audienceIds: [everyone.id],
      rewardIds: [reward.id],
      missions: [
        {
          type: 'MISSION',
          name: 'Come often',
          target: 1_000_000,
          programmaticCode: CODES[number % CODES.length],
        },
      ],
    });
    await admin('POST', `/admin/campaigns/${campaign.id}/activate`);
    campaignIds.push(campaign.id);
    missionIds.push(campaign.missions[0]!.id);
  }
  return {
    campaignIds,
    missionIds,
    productIds,
    rewardId: reward.id,
    audienceId: audience.id,
    agreementId: agreement.id,
    publicationId: publication.id,
  };
}
