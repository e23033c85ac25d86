// `npm run test:distributed`: the guarantees of the service on a Citus cluster. CITUS_URL is the coordinator's address, with a database in
// which the nodes are known, and a superuser. The run creates and drops databases and crashes nodes on purpose: use a cluster without other
// users. Files as arguments select tests. docs/scale-out.md.
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
