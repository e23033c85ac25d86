import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import type { Logger } from 'pino';
import {
  CreateConsoleUserRequestSchema,
  ResetConsoleUserPasswordRequestSchema,
} from '../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { Credential_Kind } from '../../gen/laurel/admin/v1/credential_pb.ts';
import { Role } from '../../gen/laurel/auth/v1/options_pb.ts';
import { internalCall } from '../clients/call.ts';
import { firstClients } from '../clients/client-ids.ts';
import { consoleUserIds } from '../clients/users/console-user-ids.ts';
import { createConsoleUser } from '../clients/users/create-console-user.ts';
import { resetConsoleUserPassword } from '../clients/users/reset-console-user-password.ts';
import type { Config } from '../app/config.ts';
import { systemClock } from '../kernel/time/clock.ts';
import { parseId } from '../kernel/ids.ts';
import type { Database } from '../persistence/database.ts';
import { withAdvisoryLock, LOCKS } from '../persistence/connections/advisory-lock.ts';
import { DEMO_WORD } from '../server/pages/docs-pages.ts';
import type { Operations } from '../server/rpc/operations.ts';
import {
  createDemoClient,
  DEMO_NAME,
  type DemoShop,
  completeDemoShop,
  isDemoShopComplete,
  replaceDemoCredential,
} from './demo-shop.ts';

/** The addresses and credentials of the demo, stored in `.laurel/demo.json`; only the owner of the file can read it. */
export type Demo = DemoShop & DemoOperator & { readonly baseUrl: string; readonly consoleUrl: string };

/** The console user of the demo. */
export type DemoOperator = { readonly adminEmail: string; readonly adminPassword: string };

/**
 * Creates the demo or finds an existing one. If several hosts start at once, one creates it and the others wait. On an empty database it
 * creates the demo client and stores its credentials in the file. After an interruption it creates the missing parts and replaces
 * credentials whose secrets were not stored. Otherwise it returns the stored demo with the present address. Undefined if the database has
 * clients other than the demo's.
 */
export function provisionDemo(
  { db, url }: DemoDatabase,
  operations: Operations,
  config: DemoSettings,
  port: number,
): Promise<Demo | undefined> {
  return withAdvisoryLock({ url, lock: LOCKS.demo, name: 'laurel demo' }, () =>
    completeDemo(db, operations, config, port),
  );
}

/** The database of the demo, and its address. */
export type DemoDatabase = { readonly db: Database; readonly url: string };

/** The settings that the demo uses. */
export type DemoSettings = Pick<Config, 'dataFolder'> & Partial<Pick<Config, 'tls'>>;

async function completeDemo(
  db: Database,
  operations: Operations,
  config: DemoSettings,
  port: number,
): Promise<Demo | undefined> {
  const file = join(config.dataFolder, 'demo.json');
  const unfinished = join(config.dataFolder, 'demo.unfinished.json');
  const baseUrl = `${config.tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  const found = await findDemo(db, operations, (await readDemo(file)) ?? (await readDemo(unfinished)));
  if (found === 'others') return undefined;
  const demo: PartialDemo = {
    ...(found ?? { clientId: await createDemoClient(operations) }),
    baseUrl,
    consoleUrl: `${baseUrl}/console`,
  };
  // Each secret is stored at once, because it is shown only once. `demo.json` appears only when it is complete.
  const note = async (more: Partial<Demo>) => writeDemo(unfinished, Object.assign(demo, more));
  if (demo.apiKey === undefined || demo.accessToken === undefined) await completeDemoShop(operations, demo.clientId);
  if (!demo.adminEmail || !demo.adminPassword) await note(await ensureOperator(db, demo.clientId));
  for (const [name, kind] of SECRETS) {
    if (!demo[name]) await note({ [name]: await replaceDemoCredential(operations, demo.clientId, kind) });
  }
  await writeDemo(file, demo);
  await rm(unfinished, { force: true });
  return demo as Demo;
}

const SECRETS = [
  ['apiKey', Credential_Kind.API_KEY],
  ['accessToken', Credential_Kind.ACCESS_TOKEN],
] as const;

/** The known parts of a demo that may be incomplete. */
type PartialDemo = { clientId: string } & Partial<Demo>;

/**
 * The existing demo: that of the file or, without a file, the only client if it has the demo's name and is incomplete. A complete demo
 * without a file belongs to another host, whose keys must not be replaced. Undefined: the database has no clients.
 */
async function findDemo(
  db: Database,
  operations: Operations,
  noted: PartialDemo | undefined,
): Promise<PartialDemo | 'others' | undefined> {
  const [first, second] = await db.systemUnitOfWork((uow) => firstClients(uow, noted?.clientId));
  if (first === undefined) return undefined;
  if (noted !== undefined && first.id === noted.clientId) return noted;
  if (second !== undefined || first.name !== DEMO_NAME) return 'others';
  const isWhole = (await hasUsers(db, first.id)) && (await isDemoShopComplete(operations, first.id));
  return isWhole ? 'others' : { clientId: first.id };
}

/**
 * Prints, on a terminal, the address for signing in and a command that progresses a mission. Elsewhere standard output is a log that others
 * collect and read, so it prints only the place of the keys.
 * @param docsWord opens `/docs` with the key once; undefined if `/docs` does not offer the key
 */
export function announceDemo(
  demo: Demo,
  { dataFolder }: Pick<Config, 'dataFolder'>,
  logger: Logger,
  docsWord: string | undefined,
): void {
  const file = join(dataFolder, 'demo.json');
  if (!process.stdout.isTTY) {
    const { baseUrl, consoleUrl } = demo;
    logger.info(
      { baseUrl, consoleUrl, file },
      'the demo is ready; its keys and the password of its operator are in the file',
    );
    return;
  }
  const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL' };
  console.log(`
Laurel serves at ${demo.baseUrl}. Try the first event:

  curl -sS ${demo.baseUrl}/gamification/triggers -H 'Authorization: Bearer ${demo.apiKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(event)}'

The console is at ${demo.consoleUrl}: sign in as ${demo.adminEmail} with the password ${demo.adminPassword}

The API is described at ${demo.baseUrl}/docs.${docsWord === undefined ? '' : ` With the key filled in, once: ${demo.baseUrl}/docs?${DEMO_WORD}=${docsWord}`}

Keys are in ${file}. Ctrl-C stops.
`);
}

async function hasUsers(db: Database, clientId: string): Promise<boolean> {
  const ids = await db.unitOfWork(clientId, (uow) => consoleUserIds(uow));
  return ids.length > 0;
}

/** The demo's operator. If the password was not stored, a new one is created, which must be replaced at the first sign-in. */
async function ensureOperator(db: Database, clientId: string): Promise<DemoOperator> {
  const adminEmail = 'operator@example.com';
  const call = internalCall(db, { clientId, credentialId: clientId, role: 'SERVICE_ADMIN' }, systemClock);
  const [known] = await db.unitOfWork(clientId, (uow) => consoleUserIds(uow, adminEmail));
  const request = create(CreateConsoleUserRequestSchema, {
    email: adminEmail,
    name: 'Demo operator',
    role: Role.SERVICE_ADMIN,
  });
  const { password } = known
    ? await resetConsoleUserPassword(call, create(ResetConsoleUserPasswordRequestSchema, { id: known }))
    : await createConsoleUser(call, request, { passwordStays: true });
  return { adminEmail, adminPassword: password! };
}

async function readDemo(file: string): Promise<PartialDemo | undefined> {
  try {
    const noted = JSON.parse(await readFile(file, 'utf8')) as Partial<Demo>;
    return parseId(noted.clientId ?? '') === undefined ? undefined : (noted as PartialDemo);
  } catch {
    return undefined;
  }
}

/** Writes the file atomically, because half a file is useless. */
async function writeDemo(file: string, demo: PartialDemo): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
}
