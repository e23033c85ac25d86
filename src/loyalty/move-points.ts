import { type Amount, amountToNumber, leastAmount, SUM_MAX } from '../kernel/amount.ts';
import { badRequest, DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { noteDrawn } from './spending/drawn-points.ts';
import { balanceOf, enter, type Ledger, type LotPart, type PointEntry, type PointMovement } from './ledger.ts';
import { drawLots, writeLedger } from './loyalty.queries.ts';
import { openLedger } from './open-ledger.ts';

/** The source of an entry that paid a debt; its id is that of the credit. */
export const DEBT_PAID = 'POINT_ENTRY';

/** Points to credit or take, without a sign: the called function determines it. */
export type PointChange = Omit<PointMovement, 'type'>;

/**
 * Credits rewards, each up to the room of the balance below {@link SUM_MAX}; without room it adds no entry. The caller has locked the
 * accounts; changes of one account are entered in order.
 * @returns the unpaid amount of each, in the same order
 */
export async function earnPoints(uow: UnitOfWork, earnings: readonly PointChange[]): Promise<Amount[]> {
  if (earnings.length === 0) return [];
  const ledger = await openLedger(uow, accountsOf(earnings), latest(earnings));
  const unpaid = earnings.map((earning) => {
    const room = roomOf(ledger, earning.accountId);
    const amount = earning.amount < room ? earning.amount : room;
    if (amount > 0n) enterCredit(ledger, { ...earning, amount, type: 'EARN' });
    return earning.amount - amount;
  });
  // A credit draws no lots.
  await writeMovements(uow, ledger, []);
  return unpaid;
}

/**
 * Takes points in the order of expiry. The caller has locked the accounts.
 * @throws DomainError `INSUFFICIENT_POINTS` if an account has fewer; then the transaction must not be committed
 */
export async function spendPoints(uow: UnitOfWork, spendings: readonly PointChange[]): Promise<PointEntry[]> {
  return movePoints(
    uow,
    spendings.map((spending) => ({ ...spending, type: 'SPEND', amount: -spending.amount })),
  );
}

/**
 * Returns spent points as new lots with the expiries in `parts`, see `partsToReturn`. The caller has locked the accounts.
 * @throws DomainError `BAD_REQUEST` if a balance would rise above {@link SUM_MAX}; then the transaction must not be committed
 */
export async function refundPoints(uow: UnitOfWork, refunds: readonly PointChange[]): Promise<PointEntry[]> {
  return movePoints(
    uow,
    refunds.map((refund) => ({ ...refund, type: 'REFUND' })),
  );
}

/**
 * Corrects balances by signed amounts, each with an operator's reason; all amounts of one account have the same sign. The caller has locked
 * the accounts.
 * @throws DomainError `INSUFFICIENT_POINTS` if a balance would fall below 0, `BAD_REQUEST` if it would rise above {@link SUM_MAX}
 */
export async function adjustPoints(
  uow: UnitOfWork,
  adjustments: readonly (PointChange & { readonly reason: string })[],
): Promise<PointEntry[]> {
  return movePoints(
    uow,
    adjustments.map((adjustment) => ({ ...adjustment, type: 'ADJUST' })),
  );
}

async function movePoints(uow: UnitOfWork, movements: readonly PointMovement[]): Promise<PointEntry[]> {
  if (movements.length === 0) return [];
  const ledger = await openLedger(uow, accountsOf(movements), latest(movements));
  const entered = movements.map((movement) => enterCovered(ledger, movement));
  await writeMovements(uow, ledger, entered);
  return entered;
}

/**
 * Enters spent points of an account, which {@link writeMovements} writes later: for batches in which an account with too few points must
 * not fail the others.
 * @throws DomainError `INSUFFICIENT_POINTS`; then the ledger is unchanged
 */
export function enterSpending(ledger: Ledger, spending: PointChange): PointEntry {
  return enterCovered(ledger, { ...spending, type: 'SPEND', amount: -spending.amount });
}

/** Writes the entered movements and draws their lots. Balances without movements stay unchanged. */
export async function writeMovements(uow: UnitOfWork, ledger: Ledger, entered: readonly PointEntry[]): Promise<void> {
  // Lots are drawn before the entries are written, because entries of spendings record the drawn points.
  const drawn = await drawLots(uow, takenFrom(entered));
  noteDrawn(ledger, entered, drawn);
  const moved = new Set(ledger.entries.map(({ accountId }) => accountId));
  const balances = new Map([...ledger.balances].filter(([accountId]) => moved.has(accountId)));
  await writeLedger(uow, { ...ledger, balances });
}

function enterCovered(ledger: Ledger, movement: PointMovement): PointEntry {
  const { available } = balanceOf(ledger, movement.accountId);
  if (available + movement.amount < 0n) throw insufficientPoints(available, -movement.amount);
  const room = roomOf(ledger, movement.accountId);
  if (movement.amount > room) throw noRoom(movement, room);
  return movement.type === 'REFUND' ? enterCredit(ledger, movement) : enter(ledger, movement);
}

/** Enters a credit. A debt takes its part of it at once, from the points that expire first. */
function enterCredit(ledger: Ledger, movement: PointMovement): PointEntry {
  const balance = balanceOf(ledger, movement.accountId);
  const { accountId, amount, at, expiresAt, parts = [{ amount, expiresAt }] } = movement;
  const paid = leastAmount(balance.debt, amount);
  if (paid === 0n) return enter(ledger, movement);
  const entry = enter(ledger, { ...movement, parts: partsAfter(parts, paid) });
  balance.debt -= paid;
  enter(ledger, { accountId, type: 'REVERSE', amount: -paid, at, sourceType: DEBT_PAID, sourceId: entry.id });
  return entry;
}

/** The parts that are left when `paid` is taken from the front. */
function partsAfter(parts: readonly LotPart[], paid: Amount): LotPart[] {
  let open = paid;
  return parts.flatMap((part) => {
    const taken = leastAmount(part.amount, open);
    open -= taken;
    return taken === part.amount ? [] : [{ ...part, amount: part.amount - taken }];
  });
}

/** The points that the account can still receive. Balances of 0.1.0 may exceed the limit. */
function roomOf(ledger: Ledger, accountId: string): Amount {
  const { available } = balanceOf(ledger, accountId);
  return available < SUM_MAX ? SUM_MAX - available : 0n;
}

const accountsOf = (movements: readonly PointChange[]): string[] => movements.map(({ accountId }) => accountId);

function latest(movements: readonly PointChange[]): Date {
  return new Date(Math.max(...movements.map((movement) => movement.at.getTime())));
}

function takenFrom(movements: ReadonlyArray<Pick<PointMovement, 'accountId' | 'amount'>>): Map<string, Amount> {
  const taken = new Map<string, Amount>();
  for (const { accountId, amount } of movements) {
    if (amount < 0n) taken.set(accountId, (taken.get(accountId) ?? 0n) - amount);
  }
  return taken;
}

function insufficientPoints(available: Amount, wanted: Amount): DomainError {
  return new DomainError(
    'INSUFFICIENT_POINTS',
    sentence`This takes ${amountToNumber(wanted)} points and the account has ${amountToNumber(available)}. Ask for less, or try again when the account has earned more.`,
  );
}

/** The error for an operator's credit or return of points above the limit. */
function noRoom({ type, amount }: PointMovement, room: Amount): DomainError {
  const max = amountToNumber(SUM_MAX);
  const fits = amountToNumber(room);
  return badRequest(
    type === 'REFUND'
      ? sentence`This gives ${amountToNumber(amount)} points back. A balance holds at most ${max}, and this one has room for ${fits} more. Take the rest away first, by AdjustPoints.`
      : sentence`\`amount\` is ${amountToNumber(amount)}. A balance holds at most ${max} points, and this one has room for ${fits} more.`,
  );
}
