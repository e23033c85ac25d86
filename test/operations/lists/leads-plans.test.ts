import { afterAll, beforeAll, expect, test } from 'vitest';
import { completedPage, startedPage } from '../../../src/campaigns/statistics/campaign-accounts.queries.ts';
import type { UnitOfWork } from '../../../src/persistence/database.ts';
import type { Page, PageRequest } from '../../../src/persistence/lists/list-page.ts';
import { productRedemptionPage } from '../../../src/redemptions/redemptions.queries.ts';
import { givenPage } from '../../../src/rewards/delivery/list-reward-earned-rewards.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
const COMMON = '00000000-0000-7000-8000-000000000002';
const RARE = '00000000-0000-7000-8000-000000000001';

/** 30,000 accounts, not analysed since; nearly all of their rows name one mission, campaign, reward and product. */
beforeAll(async () => {
  service = await startService();
  const of = `case when n % 10000 = 7 then $2::uuid else $3::uuid end`;
  const account = `lpad(to_hex(n), 32, '0')::uuid`;
  const tables = [
    `account (client_id, id) select $1, ${account}`,
    `assignment (client_id, account_id, mission_id, id, progress, status, started_at)
     select $1, ${account}, ${of}, ${account}, 1, 'ACTIVE', now()`,
    `campaign_completion (client_id, account_id, campaign_id, completed_at) select $1, ${account}, ${of}, now()`,
    `earned_reward (client_id, id, account_id, reward_id, reward_type, amount, status)
     select $1, ${account}, ${account}, ${of}, 'POINTS', 1, 'DELIVERED'`,
    `redemption (client_id, id, account_id, product_id, product_name, source, quantity, status)
     select $1, ${account}, ${account}, ${of}, 'A product', 'REWARD', 1, 'COMPLETED'`,
  ];
  for (const table of tables)
    await service.db.unitOfWork(service.clientId, (uow) =>
      uow.query(`insert into ${table} from generate_series(1, 30000) n where $2::uuid <> $3::uuid`, [
        uow.clientId,
        RARE,
        COMMON,
      ]),
    );
}, 60_000);
afterAll(() => service.close());

type List = (uow: UnitOfWork, request: PageRequest) => Promise<Page<object>>;
const LISTS: readonly (readonly [string, List, string])[] = [
  ['accounts that began a mission', startedPage, 'mission_id'],
  ['accounts that completed a campaign', completedPage, 'campaign_id'],
  ['who earned a reward', givenPage, 'reward_id'],
  ['where the units of a product went', productRedemptionPage, 'product_id'],
];

/** The rows of a page, and the blocks that the read uses, independent of other load. */
async function pageOf(
  list: List,
  only: Record<string, string>,
  page: number,
): Promise<{ rows: number; blocks: number }> {
  return service.db.unitOfWork(service.clientId, async (uow) => {
    let blocks = 0;
    const explained = async (sql: string, values?: unknown[]) => {
      if (/limit/.test(sql) && !/count\(/.test(sql)) {
        const [row] = await uow.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
          `explain (analyze, buffers, timing off, format json) ${sql}`,
          values,
        );
        const { Plan } = row!['QUERY PLAN'][0];
        blocks += Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!;
      }
      return uow.query(sql, values);
    };
    const explaining = new Proxy(uow, {
      get: (target, name) => (name === 'query' || name === 'queryOnce' ? explained : Reflect.get(target, name)),
    });
    const { rows } = await list(explaining, { page, limit: 25, only });
    return { rows: rows.length, blocks };
  });
}

test.each(LISTS)(
  'a page of %s touches little, be it of many or of few, and far behind',
  async (_name, list, column) => {
    for (const [id, rows] of [
      [COMMON, 25],
      [RARE, 3],
    ] as const) {
      const page = await pageOf(list, { [column]: id }, 1);
      expect(page.rows).toBe(rows);
      expect(page.blocks).toBeGreaterThan(0);
      // A table of 30,000 rows has some 400 blocks.
      expect(page.blocks, id).toBeLessThan(250);
    }
  },
);
