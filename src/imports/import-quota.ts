import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { openImports } from './imports.queries.ts';
import { DEFAULT_SETTINGS } from '../kernel/default-settings.ts';

/** The limits of one client for staged files, which the database stores until they are applied. */
export type ImportQuota = {
  /** The most open imports. */
  readonly openMax: number;
  /** The most stored bytes of their files. */
  readonly bytesMax: number;
};

/** The limits without settings. */
export const IMPORT_QUOTA: ImportQuota = {
  openMax: DEFAULT_SETTINGS.importsOpen,
  bytesMax: DEFAULT_SETTINGS.importBytes,
};

/**
 * Requires room for one more import of the client. Simultaneous creations wait for each other, so the limit is exact.
 * @throws DomainError `IMPORT_QUOTA_EXCEEDED`
 */
export async function requireRoomForImport(uow: UnitOfWork, { openMax }: ImportQuota): Promise<void> {
  const { count } = await openImports(uow, { isHeld: true });
  if (count < openMax) return;
  throw new DomainError(
    'IMPORT_QUOTA_EXCEEDED',
    sentence`${count} imports have not ended, and a client may have ${openMax}. Wait for one to end, or cancel one.`,
  );
}

/**
 * Requires room for further bytes. Uploads do not wait for each other, so each of several simultaneous uploads may exceed the limit by one
 * piece.
 * @throws DomainError `IMPORT_QUOTA_EXCEEDED`
 */
export async function requireRoomForBytes(uow: UnitOfWork, { bytesMax }: ImportQuota, bytes: number): Promise<void> {
  const stored = (await openImports(uow)).bytes;
  if (stored + bytes <= bytesMax) return;
  throw new DomainError(
    'IMPORT_QUOTA_EXCEEDED',
    sentence`${stored} bytes of files wait to be loaded, and a client may have ${bytesMax}. Wait for an import to end or cancel one, and continue at its \`bytes\`.`,
  );
}
