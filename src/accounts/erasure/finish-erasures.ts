import type { Clock } from '../../kernel/time/clock.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import type { AccountPart } from '../../persistence/subjects/account-part.ts';
import {
  SWEEP_INTERVAL_MS,
  dueErasures,
  type ErasureProgress,
  lockErasure,
  type OpenErasure,
  saveErasure,
} from './erasures.queries.ts';

/** The number of sweeps over data that no index finds. */
const PASSES = 2;

type Sweeping = {
  readonly parts: readonly AccountPart[];
  readonly clock: Clock;
  /** Milliseconds after which no further slice begins. */
  readonly forMs: number;
};

/** Continues the due erasures of one client. Returns the number of accounts. */
export async function finishErasures(
  db: Database,
  clientId: string,
  sweeping: Omit<Sweeping, 'forMs'>,
): Promise<number> {
  const due = await db.unitOfWork(clientId, (uow) => dueErasures(uow, sweeping.clock()));
  for (const accountId of due) await finishErasure(db, clientId, accountId, { ...sweeping, forMs: Infinity });
  return due.length;
}

/**
 * Continues one erasure, a bounded number of rows per transaction. Stops at the end, at a wait between sweeps, or when the time is over.
 */
export async function finishErasure(
  db: Database,
  clientId: string,
  accountId: string,
  { parts, clock, forMs }: Sweeping,
): Promise<void> {
  const end = performance.now() + forMs;
  const swept = parts.filter(({ erasure }) => erasure.kind === 'swept');
  async function slice(uow: UnitOfWork): Promise<boolean> {
    const now = clock();
    const erasure = await lockErasure(uow, accountId, now);
    if (erasure === undefined) return false;
    const progress = await sweepOnce(uow, erasure, swept, now);
    await saveErasure(uow, accountId, progress);
    return progress.finishedAt === null && progress.dueAt <= now;
  }
  while ((await db.unitOfWork(clientId, slice)) && performance.now() < end);
}

async function sweepOnce(
  uow: UnitOfWork,
  { accountId, pass, partName, place }: OpenErasure,
  parts: readonly AccountPart[],
  now: Date,
): Promise<ErasureProgress> {
  const index = Math.max(
    0,
    parts.findIndex(({ name }) => name === partName),
  );
  const { name, erasure } = parts[index]!;
  const reached = erasure.kind === 'swept' ? await erasure.sweep(uow, accountId, place ?? undefined) : undefined;
  if (reached !== undefined) return { pass, partName: name, place: reached, dueAt: now, finishedAt: null };
  const next = parts[index + 1];
  if (next !== undefined) return { pass, partName: next.name, place: null, dueAt: now, finishedAt: null };
  if (pass === PASSES) return { pass, partName: null, place: null, dueAt: now, finishedAt: now };
  const dueAt = new Date(now.getTime() + SWEEP_INTERVAL_MS);
  return { pass: pass + 1, partName: null, place: null, dueAt, finishedAt: null };
}
