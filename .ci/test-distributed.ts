// `npm run test:distributed`: guarantees of the service once more, on a Citus cluster, which CITUS_URL leads to: its coordinator, a
// database in which the nodes are known, and a superuser. Databases of its own are made there and dropped, and nodes are crashed
// on purpose: nobody else may use it. Files as arguments pick some. docs/scale-out.md.
import { spawnSync } from 'node:child_process';

if (!process.env.CITUS_URL) {
  console.log(
    'Skipped: there is no Citus. Set CITUS_URL to the coordinator of a cluster for tests, as docs/scale-out.md says.',
  );
  process.exit(0);
}
const env = { LAUREL_PROPERTY_RUNS: '4', ...process.env, LAUREL_TEST_DISTRIBUTED: 'true' };
const args = ['run', '--config', 'vitest.distributed.ts', ...process.argv.slice(2)];
process.exit(spawnSync('vitest', args, { env, stdio: 'inherit' }).status ?? 1);
