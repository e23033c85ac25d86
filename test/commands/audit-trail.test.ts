// An auditor with files and a public key: `laurel audit-export`, `audit-verify` and `audit-key`, as processes.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ClientSchema } from '../../gen/laurel/admin/v1/client_pb.ts';
import { ClientAdminService } from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { sealEntries } from '../../src/audit/chain/seal-entries.ts';
import { deleteOldAuditEntries } from '../../src/audit/delete-old-audit-entries.ts';
import { recordChange } from '../../src/audit/record-change.ts';
import { entities } from '../../src/app/entities.ts';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { newClient, type TestDatabase, testDatabase } from '../support/database.ts';
import { createDatabase, databaseName, dropDatabase } from '../support/databases.ts';
import { laurel, SECRET_KEY } from '../support/laurel.ts';

/** The time limit: each command starts a process. */
const TIMEOUT = { timeout: 120_000 };
const secrets = createSecretBox([Buffer.from(SECRET_KEY, 'base64')]);
const operation = ClientAdminService.method.updateClient;

let database: TestDatabase;
let folder: string;
let publicKey: string;
beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'laurel-audit-'));
  publicKey = (await laurel(['audit-key'], {})).words.trim();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function record(db: Database, clientId: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const change = { operation, schema: ClientSchema, id: name, after: { name } };
    await db.unitOfWork(clientId, (uow) => recordChange(uow, {}, change));
  }
  // Seals without the delay.
  expect(await sealEntries(db, clientId, { now: new Date(Date.now() + 600_000), secrets })).toBe(names.length);
}

/** A client whose chain has checkpoints at 2 and 5. */
async function chained(): Promise<string> {
  const clientId = await newClient(database.db);
  await record(database.db, clientId, ['one', 'two']);
  await record(database.db, clientId, ['three', 'four', 'five']);
  return clientId;
}

const exporting = (clientId: string, after: number, url = database.url) =>
  laurel(['audit-export', '--client', clientId, '--after', `${after}`], { DATABASE_URL: url });

/** The lines of an export, with their line ends. */
async function exported(clientId: string, after = 0, url = database.url): Promise<string[]> {
  const { code, words } = await exporting(clientId, after, url);
  expect({ code, words }).toMatchObject({ code: 0 });
  return words.split(/(?<=\n)/);
}

/** The output of audit-verify for files, without a database. */
async function verified(...files: ReadonlyArray<readonly string[]>) {
  return verifiedBy(publicKey, ...files);
}

async function verifiedBy(key: string, ...files: ReadonlyArray<readonly string[]>) {
  const paths = files.map((_, index) => join(folder, `${index + 1}.ndjson`));
  for (const [index, lines] of files.entries()) await writeFile(paths[index]!, lines.join(''));
  const { code, words } = await laurel(['audit-verify', ...paths, '--public-key', key], {});
  return { code, words: words.trim() };
}

const complete = (clientId: string, from: number, to: number) => ({
  code: 0,
  words: `Positions ${from} to ${to} of client ${clientId} are complete and as they were written.`,
});

test('what audit-export writes is verified by audit-verify with the key of audit-key', TIMEOUT, async () => {
  const clientId = await chained();
  const lines = await exported(clientId);
  expect(lines).toHaveLength(7);
  expect(await verified(lines)).toEqual(complete(clientId, 1, 5));
});

test('one changed byte, whichever it is, is reported with its line or position', TIMEOUT, async () => {
  const lines = await exported(await chained());
  const changed = (at: number, from: string, to: string) =>
    lines.map((line, n) => (n === at ? line.replace(from, to) : line));
  expect(lines[4]).toContain('"four"');
  const cases: Array<[string[], string]> = [
    [changed(4, '"four"', '"fOur"'), 'The entry of position 4 is not what was written.'],
    [changed(4, '"position":4', '"position":6'), 'Line 5 has position 6; 4 comes next.'],
    [changed(4, '"hash":"', '"hash":"0'), 'The entry of position 4 is not what was written.'],
    [changed(2, '"signature":"', '"signature":"A'), 'The checkpoint of line 3 has a signature that is not genuine.'],
    [changed(2, '{', '['), 'Line 3 is no line of an export.'],
    [changed(6, '"position":5', '"position":4'), 'The checkpoint of line 7 has a signature that is not genuine.'],
  ];
  for (const [tampered, words] of cases) {
    expect(tampered).not.toEqual(lines);
    expect(await verified(tampered)).toEqual({ code: 1, words });
  }
});

test('a removed line, a swapped pair and an end that is cut off are reported with their place', TIMEOUT, async () => {
  const lines = await exported(await chained());
  const cases: Array<[string[], string | RegExp]> = [
    [lines.toSpliced(1, 1), /^The checkpoint of line 2 is of position 2 .*: positions 2 to 2 are missing\.$/],
    [lines.toSpliced(3, 1), 'Line 4 has position 4; 3 comes next.'],
    [lines.toSpliced(3, 2, lines[4]!, lines[3]!), 'Line 4 has position 4; 3 comes next.'],
    [lines.slice(0, 5), 'What comes after position 2 is signed by nobody.'],
    [[...lines.slice(0, 6), lines[6]!.slice(0, 40)], 'Line 7 is no line of an export.'],
    [lines.slice(1), 'It begins at position 2, without the checkpoint before it.'],
    [[], 'There is nothing in it.'],
  ];
  for (const [tampered, words] of cases) {
    const result = await verified(tampered);
    expect(result.code).toBe(1);
    if (typeof words === 'string') expect(result.words).toBe(words);
    else expect(result.words).toMatch(words);
  }
});

test("another's key is reported with the line and the key that signed", TIMEOUT, async () => {
  const lines = await exported(await chained());
  const other = createSecretBox([randomBytes(32)]).sign('').publicKey;
  const words = `The checkpoint of line 3 is signed by another key: ${publicKey}.`;
  expect(await verifiedBy(other, lines)).toEqual({ code: 1, words });
  expect((await verifiedBy(`${other}, ${publicKey}`, lines)).code).toBe(0);
});

test(
  'exports that follow each other are verified as one, and a file that is left out is reported',
  TIMEOUT,
  async () => {
    const clientId = await chained();
    const first = await exported(clientId);
    await record(database.db, clientId, ['six']);
    const second = await exported(clientId, 5);
    await record(database.db, clientId, ['seven', 'eight']);
    const third = await exported(clientId, 6);
    expect(await verified(first, second, third)).toEqual(complete(clientId, 1, 8));
    const result = await verified(first, third);
    expect(result.code).toBe(1);
    expect(result.words).toMatch(
      /2\.ndjson, whose first line is line 8 of all: .* line 8 .* positions 6 to 6 are missing\.$/,
    );
  },
);

test('two processes that write and seal at once make one chain without gaps and forks', TIMEOUT, async () => {
  const clientId = await newClient(database.db);
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    LAUREL_SECRET_KEYS: SECRET_KEY,
    CLIENT: clientId,
    COUNT: '150',
  };
  const writers = ['a', 'b'].map((NAME) =>
    spawn(process.execPath, [join(import.meta.dirname, 'audit-writer.ts')], {
      env: { ...env, NAME },
      stdio: ['pipe', 'pipe', 'inherit'] as ['pipe', 'pipe', 'inherit'],
    }),
  );
  await Promise.all(writers.map(({ stdout }) => once(stdout, 'data')));
  const ends = writers.map((writer) => once(writer, 'close'));
  for (const { stdin } of writers) stdin.write('go');
  expect(await Promise.all(ends)).toEqual([
    [0, null],
    [0, null],
  ]);
  // An entry that one process added while the other held the lock waits for the next round.
  await sealEntries(database.db, clientId, { now: new Date(Date.now() + 600_000), secrets });
  const lines = await exported(clientId);
  expect(await verified(lines)).toEqual(complete(clientId, 1, 300));
  const ids: string[] = lines.flatMap((line) => JSON.parse(line).entry?.resourceId ?? []);
  const expected = ['a', 'b'].flatMap((name) => Array.from({ length: 150 }, (_, n) => `${name}${n + 1}`));
  expect(ids).toHaveLength(expected.length);
  expect(new Set(ids)).toEqual(new Set(expected));
  // The processes did take turns.
  expect(ids.join(' ')).not.toBe(expected.join(' '));
});

test(
  'a database that was put back to an earlier state and went on is found by an earlier export',
  TIMEOUT,
  async () => {
    const clientId = await chained();
    const dump = await copyOf(database);
    try {
      await record(database.db, clientId, ['six', 'seven']);
      const before = await exported(clientId);
      // No entry was added since: an export after the last position is empty, and says so.
      const short = await exporting(clientId, 7, dump.url);
      expect(short.code).toBe(1);
      expect(short.words).toContain('The chain of the audit log ends at position 5, before 7.');
      // The export continues, up to the known position and beyond.
      for (const [names, words] of [
        [['other six', 'other seven'], /line 11 is of position 7 .*: another entry was there when it was signed\.$/],
        [['other eight', 'other nine'], /line 11 is of position 7 .*: another entry was there when it was signed\.$/],
      ] as const) {
        await record(dump.db, clientId, names);
        const after = await exported(clientId, 7, dump.url);
        // Alone it is a genuine chain: only the earlier export reveals it.
        expect((await verified(after)).code).toBe(0);
        const result = await verified(before, after);
        expect(result.code).toBe(1);
        expect(result.words).toMatch(words);
      }
    } finally {
      await dump.drop();
    }
  },
);

test('the same where its checkpoints are at other positions', TIMEOUT, async () => {
  const clientId = await chained();
  const dump = await copyOf(database);
  try {
    await record(database.db, clientId, ['six', 'seven']);
    const before = await exported(clientId);
    await record(dump.db, clientId, ['other six', 'other seven', 'other eight']);
    const after = await exported(clientId, 7, dump.url);
    const result = await verified(before, after);
    expect(result.code).toBe(1);
    expect(result.words).toMatch(/is of position 5 .* which goes to 7: the database was put back to an earlier state/);
  } finally {
    await dump.drop();
  }
});

test('checkpoints outlive retention: what is left is verified, beside what was exported before', TIMEOUT, async () => {
  const clientId = await chained();
  const before = await exported(clientId);
  expect(await deleteOldAuditEntries(database.db, clientId, new Date(Date.now() + 60_000))).toBe(5);
  const nothing = await exported(clientId);
  expect(nothing).toHaveLength(1);
  expect(await verified(nothing)).toEqual(complete(clientId, 6, 5));
  await record(database.db, clientId, ['six']);
  expect(await verified(await exported(clientId))).toEqual(complete(clientId, 6, 6));
  expect(await verified(before, await exported(clientId, 5))).toEqual(complete(clientId, 1, 6));
  // A reader that stopped earlier has a gap, and the message names it.
  const late = await verified(before.slice(0, 3), await exported(clientId, 2));
  expect(late.words).toMatch(/positions 3 to 5 are missing\.$/);
});

/** The present database, as a dump restored elsewhere would be. */
async function copyOf({ db, url }: TestDatabase): Promise<TestDatabase> {
  await db.close();
  const name = `laurel_test_${randomBytes(6).toString('hex')}`;
  const copyUrl = await createDatabase(url, name, databaseName(url));
  database = { ...database, db: await openDatabase({ url, entities, poolMax: 10 }), drop: dropOf(url) };
  const copy = await openDatabase({ url: copyUrl, entities, poolMax: 4 });
  return {
    db: copy,
    url: copyUrl,
    async drop() {
      await copy.close();
      await dropDatabase(url, copyUrl);
    },
  };
}

const dropOf = (url: string) => async () => {
  await database.db.close();
  await dropDatabase(url, url);
};

test('an auditor waits for no module of a database: audit-key and audit-verify load a few files', TIMEOUT, async () => {
  const lines = await exported(await chained());
  const file = join(folder, 'quick.ndjson');
  await writeFile(file, lines.join(''));
  const hook = `import { registerHooks } from 'node:module';
    const files = [];
    registerHooks({ load(url, context, next) { if (url.startsWith('file:')) files.push(url); return next(url, context); } });
    process.on('exit', () => console.error(files.join('\\n')));`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
  for (const args of [['audit-key'], ['audit-verify', file]]) {
    const { code, words } = await laurel(args, { NODE_OPTIONS });
    expect(code).toBe(0);
    const files = words.split('\n').filter((line) => line.startsWith('file:'));
    expect(files.filter((each) => /node_modules|\/persistence\//.test(each))).toEqual([]);
    expect(files.length).toBeGreaterThan(10);
  }
});
