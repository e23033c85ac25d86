// A process of the service that changes an account; a test freezes it in the middle of its transaction: `node frozen-process.ts <database>
// <client> <account>`. After it continues, it exits with 0 if it learns that the transaction is lost, and does not repeat it.
import { entities } from '../../../src/app/entities.ts';
import { openDatabase } from '../../../src/persistence/database.ts';

const [url = '', clientId = '', accountId = ''] = process.argv.slice(2);
const db = await openDatabase({ url, entities, poolMax: 1, idleTimeoutMs: 1_000 });
let attempts = 0;
let lost = false;
const work = db.unitOfWork(clientId, async (uow) => {
  attempts += 1;
  await uow.query(`update account set name = 'frozen' where client_id = $1 and id = $2`, [clientId, accountId]);
  process.stdout.write('It holds the account.\n');
  await new Promise((resolve) => setTimeout(resolve, 500));
  await uow.query('select 1');
});
await work.catch(() => (lost = true));
await db.close();
process.exitCode = lost && attempts === 1 ? 0 : 1;
