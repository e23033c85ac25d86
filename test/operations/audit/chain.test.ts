import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClientSchema } from '../../../gen/laurel/admin/v1/client_pb.ts';
import { ClientAdminService } from '../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { type ChainedEntry, type Checkpoint, hashOf, verifyChain } from '../../../src/audit/chain/chain.ts';
import { exportChain } from '../../../src/audit/chain/chain.queries.ts';
import { sealEntries } from '../../../src/audit/chain/seal-entries.ts';
import { deleteOldAuditEntries } from '../../../src/audit/delete-old-audit-entries.ts';
import { recordChange } from '../../../src/audit/record-change.ts';
import { momentOfId, newId } from '../../../src/kernel/ids.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import { newClient, type TestDatabase, testDatabase } from '../../support/database.ts';

type Line = ChainedEntry | Checkpoint;

const [old, next] = [randomBytes(32), randomBytes(32)];
const secrets = createSecretBox([old]);
const { publicKey } = secrets.sign('');
const actor = { type: 'USER', id: '0197a5f0-0000-7000-8000-000000000001', name: 'ana@example.com' } as const;
const operation = ClientAdminService.method.updateClient;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function record(clientId: string, count: number): Promise<void> {
  await database.db.unitOfWork(clientId, async (uow) => {
    for (let n = 1; n <= count; n += 1) {
      const change = { operation, schema: ClientSchema, id: `${n}`, after: { name: `Náme ${n}` } };
      await recordChange(uow, { actor }, change);
    }
  });
}

/** Seals without the delay. */
const seal = (clientId: string, box = secrets) =>
  sealEntries(database.db, clientId, { now: new Date(Date.now() + 600_000), secrets: box });

async function exported(clientId: string, after = 0): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of exportChain(database.db, clientId, { after })) lines.push(line);
  return lines;
}

const verified = (lines: readonly Line[], trusted: readonly string[] = [publicKey]) =>
  verifyChain(
    lines.map((line) => JSON.stringify(line)),
    trusted,
  );

/** A client with a chain of three checkpoints. */
async function chained(): Promise<string> {
  const clientId = await newClient(database.db);
  for (const count of [4, 1, 3]) {
    await record(clientId, count);
    expect(await seal(clientId)).toBe(count);
  }
  return clientId;
}

const positions = (lines: readonly Line[]) => lines.map(({ kind, position }) => `${kind[0]}${position}`).join(' ');

test('an export has every entry once, in one order, and verifies with the public key alone', async () => {
  const clientId = await chained();
  const lines = await exported(clientId);
  expect(positions(lines)).toBe('E1 E2 E3 E4 C4 E5 C5 E6 E7 E8 C8');
  expect(await verified(lines)).toEqual({ clientId, from: 1, to: 8, publicKeys: [publicKey] });
  expect(lines[0]).toMatchObject({ entry: { actorName: 'ana@example.com', after: { name: 'Náme 1' } } });
});

test('whoever follows asks for what comes after a position, and gets the checkpoint before it', async () => {
  const clientId = await chained();
  expect(positions(await exported(clientId, 5))).toBe('C5 E6 E7 E8 C8');
  expect(positions(await exported(clientId, 7))).toBe('C5 E6 E7 E8 C8');
  expect(positions(await exported(clientId, 8))).toBe('C8');
  for (const after of [5, 7, 8]) expect((await verified(await exported(clientId, after))).to).toBe(8);
});

test('nothing that is younger than the delay has a place, so that transactions under way do not come behind it', async () => {
  const clientId = await newClient(database.db);
  await record(clientId, 2);
  expect(await sealEntries(database.db, clientId, { now: new Date(), secrets })).toBe(0);
  expect(await exported(clientId)).toEqual([]);
});

test('an entry whose transaction outlasted the delay comes late, and not never', async () => {
  const clientId = await newClient(database.db);
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
  const slow = database.db.unitOfWork(clientId, async (uow) => {
    await recordChange(uow, { actor }, { operation, schema: ClientSchema, id: 'slow' });
    wrote();
    await mayCommit;
  });
  await written;
  await record(clientId, 1);
  expect(await seal(clientId)).toBe(1);
  commit();
  await slow;
  expect(await seal(clientId)).toBe(1);
  const lines = await exported(clientId);
  expect(await verified(lines)).toMatchObject({ from: 1, to: 2 });
  expect(lines[2]).toMatchObject({ position: 2, entry: { resourceId: 'slow' } });
});

test('processes that seal at once make one chain', async () => {
  const clientId = await newClient(database.db);
  await database.db.systemUnitOfWork((uow) =>
    uow.query(
      `insert into audit_entry (client_id, id, actor_type, actor_name, operation, resource_type)
       select $1, id, 'USER', 'ana@example.com', 'ClientAdminService.UpdateClient', 'client' from unnest($2::uuid[]) as id`,
      [clientId, Array.from({ length: 1_203 }, () => newId())],
    ),
  );
  const counts = await Promise.all(Array.from({ length: 6 }, () => seal(clientId)));
  const rest = await seal(clientId);
  expect(counts.reduce((sum, count) => sum + count, rest)).toBe(1_203);
  const lines = await exported(clientId);
  expect(lines.filter(({ kind }) => kind === 'ENTRY')).toHaveLength(1_203);
  expect(await verified(lines)).toMatchObject({ from: 1, to: 1_203 });
});

test('what retention leaves is verified from the last checkpoint before it, also where it leaves nothing', async () => {
  const clientId = await chained();
  const [sixth] = await database.db.systemUnitOfWork((uow) =>
    uow.query<{ id: string }>('select entry_id as id from audit_seal where client_id = $1 and position = 6', [
      clientId,
    ]),
  );
  // The time in the id decides; that of the row may differ by a millisecond.
  expect(await deleteOldAuditEntries(database.db, clientId, momentOfId(sixth!.id))).toBe(5);
  expect(positions(await exported(clientId))).toBe('C5 E6 E7 E8 C8');
  expect(await verified(await exported(clientId))).toMatchObject({ from: 6, to: 8 });
  expect(await deleteOldAuditEntries(database.db, clientId, new Date(Date.now() + 60_000))).toBe(3);
  expect(positions(await exported(clientId))).toBe('C8');
  expect(await verified(await exported(clientId))).toMatchObject({ from: 9, to: 8 });
  await record(clientId, 2);
  await seal(clientId);
  expect(await verified(await exported(clientId))).toMatchObject({ from: 9, to: 10 });
});

test('after the keys were changed, both signatures are genuine, to those who trust both', async () => {
  const clientId = await newClient(database.db);
  const rotated = createSecretBox([next, old]);
  await record(clientId, 1);
  await seal(clientId);
  await record(clientId, 1);
  await seal(clientId, rotated);
  const lines = await exported(clientId);
  expect((await verified(lines, [publicKey, rotated.sign('').publicKey])).publicKeys).toHaveLength(2);
  await expect(verified(lines)).rejects.toThrow('signed by another key');
});

test('who owns the database and changes, removes or takes the last of what is sealed is found out', async () => {
  const asOwner = (clientId: string, ...sql: string[]) =>
    database.db.systemUnitOfWork(async (uow) => {
      for (const each of sql) await uow.query(each, [clientId]);
    });
  const changed = await chained();
  await asOwner(changed, `update audit_entry set actor_name = 'bob' where client_id = $1 and resource_id = '2'`);
  await expect(exported(changed).then((lines) => verified(lines))).rejects.toThrow('not what was written');
  const removed = await chained();
  await asOwner(removed, `delete from audit_entry where client_id = $1 and resource_id = '2'`);
  await expect(exported(removed).then((lines) => verified(lines))).rejects.toThrow('comes next');
  const shortened = await chained();
  await asOwner(shortened, 'delete from audit_seal where client_id = $1 and position > 5');
  await expect(exported(shortened).then((lines) => verified(lines))).rejects.toThrow('positions 6 to 8 are missing');
});

test('neither a client nor the service may change a seal or a checkpoint', async () => {
  const clientId = await chained();
  for (const table of ['audit_seal', 'audit_checkpoint']) {
    const sql = `update ${table} set hash = '' where client_id = '${clientId}'`;
    await expect(database.db.systemUnitOfWork((uow) => uow.query(sql))).rejects.toThrow(/permission denied/);
    await expect(database.db.unitOfWork(clientId, (uow) => uow.query(sql))).rejects.toThrow(/permission denied/);
    const gone = `delete from ${table} where client_id = '${clientId}'`;
    await expect(database.db.unitOfWork(clientId, (uow) => uow.query(gone))).rejects.toThrow(/permission denied/);
  }
  const gone = `delete from audit_checkpoint where client_id = '${clientId}'`;
  await expect(database.db.systemUnitOfWork((uow) => uow.query(gone))).rejects.toThrow(/permission denied/);
});

test('no tampering with a file passes: lines removed, moved, doubled, or changed in any value', async () => {
  const lines = await exported(await chained());
  const index = fc.nat({ max: lines.length - 1 });
  const tampered = fc.oneof(
    // An export that is cut at a checkpoint is a valid shorter export, which states its begin and its end.
    fc
      .integer({ min: 0, max: 9 })
      .map((at) => lines.filter((line, lineIndex) => lineIndex !== at || line.kind !== 'ENTRY')),
    fc.tuple(index, index).map(([one, other]) => {
      const moved = [...lines];
      moved.splice(other, 0, ...moved.splice(one, 1));
      return moved;
    }),
    index.map((at) => [...lines.slice(0, at), lines[at]!, ...lines.slice(at)]).filter((all) => !doublesCheckpoint(all)),
    fc.tuple(index, fc.string({ minLength: 1 }), fc.nat()).map(([at, text, which]) => {
      const copy = structuredClone(lines) as Record<string, unknown>[];
      const line = copy[at]!;
      const keys = Object.keys(line).filter((key) => key !== 'kind');
      const key = keys[which % keys.length]!;
      const value = line[key];
      line[key] = typeof value === 'number' ? value + 1 + text.length : text;
      return copy as unknown as Line[];
    }),
  );
  await fc.assert(
    fc.asyncProperty(tampered, async (all) => {
      fc.pre(JSON.stringify(all) !== JSON.stringify(lines));
      await expect(verified(all)).rejects.toThrow();
    }),
    { numRuns: 500 },
  );
});

function doublesCheckpoint(all: readonly Line[]): boolean {
  return all.some((line, at) => line.kind === 'CHECKPOINT' && line === all[at + 1]);
}

test('who computes all hashes anew has no signature for them, and an end that nobody signed is refused', async () => {
  const lines = await exported(await chained());
  let before = '0'.repeat(64);
  const forged = lines.map((line): Line => {
    if (line.kind === 'CHECKPOINT') return { ...line, hash: before };
    const entry = { ...(line.entry as object), actorName: 'bob' };
    before = hashOf(before, { ...line, entry });
    return { ...line, entry, hash: before };
  });
  await expect(verified(forged)).rejects.toThrow('not genuine');
  await expect(verified(forged.filter(({ kind }) => kind === 'ENTRY'))).rejects.toThrow('signed by nobody');
  const mallory = createSecretBox([createHash('sha256').update('mallory').digest()]);
  const resigned = lines.map((line) => (line.kind === 'ENTRY' ? line : { ...line, ...mallory.sign('x') }));
  await expect(verified(resigned)).rejects.toThrow('another key');
  await expect(verified(lines.slice(2))).rejects.toThrow('without the checkpoint before it');
  await expect(verified([])).rejects.toThrow('nothing in it');
});
