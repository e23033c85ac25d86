import { hostname, userInfo } from 'node:os';
import { recordCommandOf, type RecordedCommand } from '../audit/record-command.ts';
import { type Call, internalCall } from '../clients/call.ts';
import { clientIds } from '../clients/client-ids.ts';
import type { Config } from '../app/config.ts';
import { entities } from '../app/entities.ts';
import { systemClock } from '../kernel/time/clock.ts';
import { createCommandLogger } from '../app/logger.ts';
import { type Database, openDatabase } from '../persistence/database.ts';

/** The operator of a command for the audit log. */
export function operator() {
  return { type: 'COMMAND_LINE', name: `${userName()}@${hostname()}` } as const;
}

/** PostgreSQL's code for a missing table. */
const NO_SUCH_TABLE = '42P01';

/** A call by a command for a client, with all rights: the command's user controls the database. */
export function operatorsCall(db: Database, clientId: string): Call {
  const principal = { clientId, credentialId: clientId, role: 'SERVICE_ADMIN', actor: operator() } as const;
  return internalCall(db, principal, systemClock);
}

/** Adds a command that concerns every client to each client's audit log. */
export function recordCommand(db: Database, command: RecordedCommand): Promise<void> {
  return db.systemUnitOfWork(async (uow) => recordCommandOf(uow, await clientIds(uow), operator(), command));
}

/**
 * Adds a command that works outside the service's roles to each client's audit log. Its work stays even if the log cannot store the entry;
 * then it prints a message. Before a restore the database has no log, and no message is printed.
 */
export async function recordCommandAt(config: Config, url: string, command: RecordedCommand): Promise<void> {
  const { preparedStatements } = config;
  try {
    const db = await openDatabase({ url, entities, poolMax: 1, preparedStatements, logger: createCommandLogger() });
    try {
      await recordCommand(db, command);
    } finally {
      await db.close();
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === NO_SUCH_TABLE) return;
    console.error(`It is done, and the audit log does not have it: ${(error as Error).message}`);
  }
}

/** Under sudo both names matter: the account with the rights, and its user. */
function userName(): string {
  const { SUDO_USER } = process.env;
  return SUDO_USER ? `${SUDO_USER} as ${systemUser()}` : systemUser();
}

/** In a container the user may have only a number. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
