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

/** The addresses and credentials of the demo, stored in `.laurel/demo.json`, which only its owner can read. */
export type Demo = DemoShop & DemoOperator & { readonly baseUrl: string; readonly consoleUrl: string };

/** Who signs in to the console. */
export type DemoOperator = { readonly adminEmail: string; readonly adminPassword: string };

/**
 * Makes the demo, or finds it made, while no other process does: of several hosts that start at once, one makes it and the others
 * wait for that. On an empty database: creates the demo client and writes its credentials down. Where that was interrupted, at any
 * point: makes what is missing; a credential whose secret was not written down is replaced. Later: gives what was written down,
 * with the present address. Undefined where there are clients that are not the demo's.
 */
export function provisionDemo(
  { db, url }: DemoDatabase,
  operations: Operations,
  config: DemoPlace,
  port: number,
): Promise<Demo | undefined> {
  return withAdvisoryLock({ url, lock: LOCKS.demo, name: 'laurel demo' }, () =>
    completeDemo(db, operations, config, port),
  );
}

/** Where the demo is made. */
export type DemoDatabase = { readonly db: Database; readonly url: string };

/** The settings that it uses. */
export type DemoPlace = Pick<Config, 'dataFolder'> & Partial<Pick<Config, 'tls'>>;

async function completeDemo(
  db: Database,
  operations: Operations,
  config: DemoPlace,
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
  // Every secret is written down as soon as there is one: it is shown once. Anyone who waits for `demo.json` finds it whole.
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
 * The demo that is there: the one of the file or, without one, the only client, if it has the demo's name and its making was
 * interrupted. A whole one without a file is another host's, whose keys are not to be replaced. Undefined: there are no
 * clients at all.
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
 * On a terminal: prints where to sign in, and one line to paste, which progresses a mission. Elsewhere standard output is a log,
 * which is collected, kept and read by others: there it tells where the keys are, and no key.
 * @param docsWord opens `/docs` with the key, once; undefined where it is not offered there
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

/** The demo's operator; one whose password was not written down gets another, to be replaced at the first sign-in. */
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

/** At once or not at all: half a file would be no file. */
async function writeDemo(file: string, demo: PartialDemo): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
}
