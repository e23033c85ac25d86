import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../persistence/database.ts';
import type { Operations } from '../server/operations.ts';
import { createDemoShop, type DemoShop } from './demo-shop.ts';

/** What a newcomer needs to try the service; kept in `.laurel/demo.json`, readable by its owner alone. */
export type Demo = DemoShop & { readonly baseUrl: string };

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
  const credentials = (await hasClients(db)) ? await readDemo(file) : await createDemoShop(operations);
  if (!credentials) return undefined;
  const demo = { ...credentials, baseUrl };
  await mkdir(config.dataFolder, { recursive: true });
  await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return demo;
}

/** Prints one line to paste, which progresses a mission. */
export function announceDemo(demo: Demo | undefined): void {
  if (!demo) return;
  const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL' };
  console.log(`
Laurel serves at ${demo.baseUrl}. Try the first event:

  curl -sS ${demo.baseUrl}/gamification/triggers -H 'Authorization: Bearer ${demo.apiKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(event)}'

Keys are in .laurel/demo.json, the API's description is at ${demo.baseUrl}/docs. Ctrl-C stops.
`);
}

async function hasClients(db: Database): Promise<boolean> {
  const rows = await db.systemUnitOfWork((uow) => uow.query('select 1 from client limit 1'));
  return rows.length > 0;
}

async function readDemo(file: string): Promise<Demo | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Demo;
  } catch {
    return undefined;
  }
}
