import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { firstIdAt } from '../../../src/kernel/ids.ts';
import { timelineOfAccount } from '../../../src/app/timeline-of-account.ts';
import { mergedPage, type TimelinePosition } from '../../../src/timeline/merge-sources.ts';
import { startService, type TestService } from '../../support/service.ts';

let service: TestService;
const ADA = '00000000-0000-7000-8000-00000000000a';
const END = 2 ** 47 * 1_000;
/** Rows of a table; half of them belong to Ada, and each other one to a separate account. */
const ROWS = 40_000;
const DEFINITION = '00000000-0000-7000-8000-00000000000c';

/** A UUIDv7 from `n` seconds ago. */
const ID = `(lpad(to_hex((extract(epoch from now()) * 1000)::int8 - n * 1000), 12, '0') || '7' || substr(md5(n::text), 2, 19))::uuid`;
const ACCOUNT = `case when n % 2 = 0 then '${ADA}'::uuid else gen_random_uuid() end`;

const TABLES: Readonly<Record<string, string>> = {
  journal_batch: `(client_id, recorded_at, id, account_ids, programmatic_codes, effects, operation_hashes, entries)
    select $1, now() - n * interval '1 second', gen_random_uuid(), array[${ACCOUNT}], '{CODE}', '{1}', '{}', '[[0, 0, 1, 0, 1, 0, 0]]'`,
  earned_reward: `(client_id, id, account_id, reward_id, reward_type, amount, status)
    select $1, ${ID}, ${ACCOUNT}, gen_random_uuid(), 'POINTS', 1, 'DELIVERED'`,
  chest: `(client_id, id, account_id, chest_id, earned_reward_id)
    select $1, ${ID}, ${ACCOUNT}, '${DEFINITION}', gen_random_uuid()`,
  point_entry: `(client_id, id, account_id, type, amount, balance_after, created_at)
    select $1, ${ID}, ${ACCOUNT}, 'EARN', 1, 1, now() - n * interval '1 second'`,
  redemption: `(client_id, id, account_id, product_id, product_name, source, quantity, status)
    select $1, ${ID}, ${ACCOUNT}, gen_random_uuid(), 'Mug', 'LOYALTY', 1, 'COMPLETED'`,
  reservation: `(client_id, id, publication_id, account_id, quantity, expires_at)
    select $1, ${ID}, gen_random_uuid(), ${ACCOUNT}, 1, now()`,
  audit_entry: `(client_id, id, actor_type, actor_name, operation, resource_type, resource_id)
    select $1, ${ID}, 'USER', 'Grace', 'AccountAdminService.EditAccount', 'account', (${ACCOUNT})::text`,
};

beforeAll(async () => {
  service = await startService();
  await service.db.unitOfWork(service.clientId, async (uow) => {
    await uow.query(
      `insert into chest_definition (client_id, id, name, entries, total_weight) values ($1, '${DEFINITION}', 'Gold', '[]', 1)`,
      [uow.clientId],
    );
    for (const [table, rows] of Object.entries(TABLES)) {
      await uow.query(`insert into ${table} ${rows} from generate_series(1, ${ROWS}) n`, [uow.clientId]);
    }
  });
}, 120_000);
afterAll(() => service.close());

type Plan = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
};
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** A page of 51, and the blocks that each of its statements on rows of accounts read. */
async function pageOf(after: TimelinePosition | undefined) {
  return service.db.unitOfWork(service.clientId, async (uow) => {
    const plans: { sql: string; blocks: number; nodes: Plan[] }[] = [];
    const tables = new RegExp(
      `from (${Object.keys(TABLES).join('|')}|journal_search|assignment|campaign_completion)\\b`,
    );
    const explaining = new Proxy(uow, {
      get(target, name) {
        if (name !== 'query') return Reflect.get(target, name);
        return async (sql: string, values?: unknown[]) => {
          if (tables.test(sql)) {
            const [row] = await target.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
              `explain (analyze, buffers, timing off, format json) ${sql}`,
              values,
            );
            const plan = row!['QUERY PLAN'][0].Plan;
            const blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
            plans.push({ sql, blocks, nodes: nodesOf(plan) });
          }
          return target.query(sql, values);
        };
      },
    });
    const query = { accountIds: [ADA], from: 0, until: END, after };
    const rows = await mergedPage(explaining, timelineOfAccount(createCatalogs()), query, 51);
    return { rows, plans };
  });
}

test.each(['before anything was analysed', 'after'])(
  'a page of 140,000 entries reads a page of each source, %s',
  async (when) => {
    if (when === 'after') {
      await service.db.systemUnitOfWork(async (uow) => {
        await uow.query('set local role none');
        for (const table of Object.keys(TABLES)) await uow.query(`analyze ${table}`);
      });
    }
    const positions = [
      undefined,
      { at: (Date.now() - 15_000_000) * 1_000, kind: 4, id: firstIdAt(new Date(Date.now() - 15_000_000)) },
    ];
    for (const position of positions) {
      const { rows, plans } = await pageOf(position);
      expect(rows).toHaveLength(51);
      expect(new Set(rows.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(6);
      expect(plans.length).toBeGreaterThanOrEqual(9);
      for (const { sql, blocks, nodes } of plans) {
        expect(blocks, sql).toBeLessThan(500);
        const walked = nodes.filter(
          (node) => node['Node Type'] === 'Seq Scan' && (node['Relation Name'] ?? '') in TABLES,
        );
        expect(walked, sql).toEqual([]);
      }
    }
  },
);
