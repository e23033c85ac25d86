import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import { CreateConsoleUserRequestSchema } from '../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { Role } from '../../gen/laurel/auth/v1/options_pb.ts';
import { createConsoleUser } from '../clients/users/create-console-user.ts';
import type { Config } from '../config.ts';
import type { Database } from '../persistence/database.ts';
import type { Operations } from '../server/operations.ts';
import { createDemoShop, type DemoShop } from './demo-shop.ts';

/** What a newcomer needs to try the service; kept in `.laurel/demo.json`, readable by its owner alone. */
export type Demo = DemoShop & DemoOperator & { readonly baseUrl: string; readonly consoleUrl: string };

/** Who signs in to the console. */
export type DemoOperator = { readonly adminEmail: string; readonly adminPassword: string };

/**
 * On an empty database: creates the demo client and writes its credentials down. Later: gives what was written down, with
 * the present address. Undefined where there are clients that are not the demo's.
 */
export async function provisionDemo(
  db: Database,
  operations: Operations,
  config: Config,
  port: number,
): Promise<Demo | undefined> {
  const file = join(config.dataFolder, 'demo.json');
  const baseUrl = `http://127.0.0.1:${port}`;
  const shop: KnownDemo | undefined = (await hasClients(db)) ? await readDemo(file) : await createDemoShop(operations);
  if (!shop) return undefined;
  const operator = operatorOf(shop) ?? (await createOperator(db, shop.clientId));
  const demo = { ...shop, ...operator, baseUrl, consoleUrl: `${baseUrl}/console` };
  await mkdir(config.dataFolder, { recursive: true });
  await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return demo;
}

/** Prints where to sign in, and one line to paste, which progresses a mission. */
export function announceDemo(demo: Demo | undefined, { dataFolder }: Pick<Config, 'dataFolder'>): void {
  if (!demo) return;
  const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL' };
  console.log(`
Laurel serves at ${demo.baseUrl}. Try the first event:

  curl -sS ${demo.baseUrl}/gamification/triggers -H 'Authorization: Bearer ${demo.apiKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(event)}'

The console is at ${demo.consoleUrl}: sign in as ${demo.adminEmail} with the password ${demo.adminPassword}

Keys are in ${join(dataFolder, 'demo.json')}, the API's description is at ${demo.baseUrl}/docs. Ctrl-C stops.
`);
}

async function hasClients(db: Database): Promise<boolean> {
  const rows = await db.systemUnitOfWork((uow) => uow.query('select 1 from client limit 1'));
  return rows.length > 0;
}

type KnownDemo = DemoShop & Partial<DemoOperator>;

/** A demo that was provisioned before there was a console has no operator. */
function operatorOf({ adminEmail, adminPassword }: Partial<DemoOperator>): DemoOperator | undefined {
  return adminEmail && adminPassword ? { adminEmail, adminPassword } : undefined;
}

async function createOperator(db: Database, clientId: string): Promise<DemoOperator> {
  const adminEmail = 'operator@example.com';
  const request = create(CreateConsoleUserRequestSchema, {
    email: adminEmail,
    name: 'Demo operator',
    role: Role.SERVICE_ADMIN,
  });
  const principal = { clientId, credentialId: clientId, role: 'SERVICE_ADMIN' } as const;
  const { password } = await createConsoleUser(db, principal, request, { passwordStays: true });
  return { adminEmail, adminPassword: password! };
}

async function readDemo(file: string): Promise<KnownDemo | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DemoShop;
  } catch {
    return undefined;
  }
}
