// A process that adds changes of one client and seals them without the delay. DATABASE_URL, LAUREL_SECRET_KEYS, CLIENT, NAME and COUNT are
// its settings. It begins on a line of its standard input.
import { once } from 'node:events';
import { ClientSchema } from '../../gen/laurel/admin/v1/client_pb.ts';
import { ClientAdminService } from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { sealEntries } from '../../src/audit/chain/seal-entries.ts';
import { recordChange } from '../../src/audit/record-change.ts';
import { entities } from '../../src/app/entities.ts';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import { openDatabase } from '../../src/persistence/database.ts';

const { DATABASE_URL = '', LAUREL_SECRET_KEYS = '', CLIENT = '', NAME = '', COUNT = '0' } = process.env;
const secrets = createSecretBox([Buffer.from(LAUREL_SECRET_KEYS, 'base64')]);
const operation = ClientAdminService.method.updateClient;
const db = await openDatabase({ url: DATABASE_URL, entities, poolMax: 4 });
const seal = () => sealEntries(db, CLIENT, { now: new Date(Date.now() + 600_000), secrets });

console.log('ready');
await once(process.stdin, 'data');
process.stdin.pause();
for (let n = 1; n <= Number(COUNT); n += 1) {
  const change = { operation, schema: ClientSchema, id: `${NAME}${n}`, after: { name: `${NAME} ${n}` } };
  await db.unitOfWork(CLIENT, (uow) => recordChange(uow, { actor: { type: 'COMMAND_LINE', name: NAME } }, change));
  if (n % 3 === 0) await seal();
}
await seal();
await db.close();
