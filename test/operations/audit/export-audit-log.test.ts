// Continuous export of the audit log: GET /admin/audit/export.ndjson, AuditAdminService.ExportAuditLog.
import { randomBytes } from 'node:crypto';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AuditAdminService } from '../../../gen/laurel/admin/v1/audit_admin_service_pb.ts';
import { verifyChain } from '../../../src/audit/chain/chain.ts';
import { sealEntries } from '../../../src/audit/chain/seal-entries.ts';
import { deleteOldAuditEntries } from '../../../src/audit/delete-old-audit-entries.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import { startService, type Tenant, type TestService } from '../../support/service.ts';
import { settledUser } from '../clients/console.ts';

const secrets = createSecretBox([randomBytes(32)]);
const { publicKey } = secrets.sign('');
let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const get = (query: string, token: string, headers: Record<string, string> = {}) =>
  fetch(`${service.baseUrl}/admin/audit/export.ndjson${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  });

async function lines(query: string, token: string): Promise<string[]> {
  const answer = await get(query, token);
  expect(answer.status).toBe(200);
  return (await answer.text()).split(/(?<=\n)/).filter(Boolean);
}

/** Adds `count` changes and seals them without the delay. */
async function written({ clientId }: Tenant, count: number): Promise<void> {
  await service.db.systemUnitOfWork((uow) =>
    uow.query(
      `insert into audit_entry (client_id, id, actor_type, actor_name, operation, resource_type)
       select $1, id, 'USER', 'ana@example.com', 'ClientAdminService.UpdateClient', 'client' from unnest($2::uuid[]) as id`,
      [clientId, Array.from({ length: count }, () => newId())],
    ),
  );
  await sealEntries(service.db, clientId, { now: new Date(Date.now() + 600_000), secrets });
}

const positions = (all: readonly string[]) =>
  all.map((line) => JSON.parse(line)).map(({ kind, position }) => `${kind[0]}${position}`);

test('who follows by position gets every entry once, in pages that verify alone and together', async () => {
  const tenant = await service.newTenant();
  await written(tenant, 1_700);
  await written(tenant, 3);
  const all: string[] = [];
  const ends: number[] = [];
  for (let after = 0; ;) {
    const page = await lines(`?after=${after}&limit=600`, tenant.adminToken);
    await verifyChain(page, [publicKey]);
    all.push(...page);
    const { position } = JSON.parse(page.at(-1)!);
    if (position === after) break;
    ends.push((after = position));
  }
  // Continues to the checkpoint after 600; here checkpoints are 500 apart.
  expect(ends).toEqual([1_000, 1_700, 1_703]);
  expect(await verifyChain(all, [publicKey])).toMatchObject({ clientId: tenant.clientId, from: 1, to: 1_703 });
  expect(positions(all).filter((position) => position.startsWith('E'))).toEqual(
    Array.from({ length: 1_703 }, (_, n) => `E${n + 1}`),
  );
  await written(tenant, 2);
  expect(positions(await lines('?after=1703', tenant.adminToken))).toEqual(['C1703', 'E1704', 'E1705', 'C1705']);
});

test('without anything said it begins at the beginning, with 1,000 entries; a log without any is empty', async () => {
  const tenant = await service.newTenant();
  expect(await lines('', tenant.adminToken)).toEqual([]);
  await written(tenant, 1_600);
  const page = await lines('', tenant.adminToken);
  expect(positions(page).at(-1)).toBe('C1000');
});

test('an entry that somebody has changed in the database is refused by the follower', async () => {
  const tenant = await service.newTenant();
  await written(tenant, 3);
  await service.db.systemUnitOfWork((uow) =>
    uow.query(
      `update audit_entry set actor_name = 'bob' where client_id = $1 and id =
         (select entry_id from audit_seal where client_id = $1 and position = 2)`,
      [tenant.clientId],
    ),
  );
  await expect(verifyChain(await lines('', tenant.adminToken), [publicKey])).rejects.toThrow(
    'The entry of position 2 is not what was written.',
  );
});

test('a position behind the end is 404, and what is no position 400, by the names that were sent', async () => {
  const tenant = await service.newTenant();
  await written(tenant, 3);
  const past = await get('?after=4', tenant.adminToken);
  expect(past.status).toBe(404);
  expect(await past.json()).toMatchObject({
    code: 'AUDIT_POSITION_NOT_FOUND',
    message: expect.stringContaining('ends at position 3, before 4'),
  });
  for (const [query, name] of [
    ['after=-1', 'after'],
    ['after=x', 'after'],
    ['after=9007199254740992', 'after'],
    ['limit=0', 'limit'],
    ['limit=10001', 'limit'],
  ]) {
    const answer = await get(`?${query}`, tenant.adminToken);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining(name!) });
  }
});

test('after retention it goes on from the checkpoint that is left', async () => {
  const tenant = await service.newTenant();
  await written(tenant, 3);
  const before = await lines('', tenant.adminToken);
  await deleteOldAuditEntries(service.db, tenant.clientId, new Date(Date.now() + 60_000));
  await written(tenant, 2);
  expect(positions(await lines('', tenant.adminToken))).toEqual(['C3', 'E4', 'E5', 'C5']);
  const after = await lines('?after=3', tenant.adminToken);
  expect(await verifyChain([...before, ...after], [publicKey])).toMatchObject({ from: 1, to: 5 });
});

test('each gets the log of their own client: people who look on, and a service administrator by header', async () => {
  const [ours, theirs] = [await service.newTenant(), await service.newTenant()];
  await written(ours, 1);
  await written(theirs, 2);
  expect(positions(await lines('', ours.adminToken))).toEqual(['E1', 'C1']);
  const header = { 'laurel-client-id': theirs.clientId };
  expect((await get('', ours.adminToken, header)).status).toBe(403);
  const text = await (await get('', service.serviceToken, header)).text();
  expect(text).toContain(theirs.clientId);
  expect(text).not.toContain(ours.clientId);
  const { accessToken } = (await settledUser(service, service.adminToken, 'VIEWER')).answer.body;
  expect((await get('', accessToken)).status).toBe(200);
  expect((await get('', service.apiKey)).status).toBe(403);
});

test('it is NDJSON that nothing keeps, and over gRPC the same bytes', async () => {
  const tenant = await service.newTenant();
  await written(tenant, 250);
  const answer = await get('?after=0', tenant.adminToken);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-store',
    'content-disposition': 'attachment; filename="export.ndjson"',
  });
  const session = new Http2SessionManager(service.baseUrl);
  try {
    const transport = createGrpcTransport({ baseUrl: service.baseUrl, sessionManager: session });
    const headers = { authorization: `Bearer ${tenant.adminToken}` };
    let text = '';
    for await (const { data } of createClient(AuditAdminService, transport).exportAuditLog(
      { after: 0n },
      { headers },
    )) {
      text += Buffer.from(data).toString();
    }
    expect(text).toBe(await answer.text());
  } finally {
    session.abort();
  }
});
