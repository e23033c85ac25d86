import type { Amount } from '../kernel/amount.ts';
import { amountToNumber, SUM_MAX } from '../kernel/amount.ts';
import { badRequest, DomainError } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { noteDrawn } from './drawn-points.ts';
import { balanceOf, enter, type Ledger, type PointEntry, type PointMovement } from './ledger.ts';
import { drawLots, writeLedger } from './loyalty.queries.ts';
import { openLedger } from './open-ledger.ts';

/** Points given or taken, without the sign: the function that takes it says which. */
export type PointChange = Omit<PointMovement, 'type'>;

/**
 * Credits rewards, each as far as the balance has room below {@link SUM_MAX}; where it has none, no line is entered. The caller holds
 * the locks of the accounts; changes of one account are entered in their order.
 * @returns what was not paid of each, in the order given
 */
export async function earnPoints(uow: UnitOfWork, earnings: readonly PointChange[]): Promise<Amount[]> {
  if (earnings.length === 0) return [];
  const ledger = await openLedger(uow, accountsOf(earnings), latest(earnings));
  const unpaid = earnings.map((earning) => {
    const room = roomOf(ledger, earning.accountId);
    const amount = earning.amount < room ? earning.amount : room;
    if (amount > 0n) enter(ledger, { ...earning, amount, type: 'EARN' });
    return earning.amount - amount;
  });
  // A credit takes no lots.
  await writeMovements(uow, ledger, []);
  return unpaid;
}

/**
 * Takes points, those that expire first before the others. The caller holds the locks of the accounts.
 * @throws DomainError `INSUFFICIENT_POINTS` if an account has fewer; then nothing is to be committed
 */
export async function spendPoints(uow: UnitOfWork, spendings: readonly PointChange[]): Promise<PointEntry[]> {
  return movePoints(
    uow,
    spendings.map((spending) => ({ ...spending, type: 'SPEND', amount: -spending.amount })),
  );
}

/**
 * Gives spent points back, as new lots: `parts` says when they expire, see `partsToReturn`. The caller holds the locks of
 * the accounts.
 * @throws DomainError `BAD_REQUEST` if a balance would rise above {@link SUM_MAX}; then nothing is to be committed
 */
export async function refundPoints(uow: UnitOfWork, refunds: readonly PointChange[]): Promise<PointEntry[]> {
  return movePoints(
    uow,
    refunds.map((refund) => ({ ...refund, type: 'REFUND' })),
  );
}

/**
 * Corrects balances by signed amounts, each with an operator's reason; all of one account with one sign. The caller holds the
 * locks of the accounts.
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
 * Enters points that an account spends, for {@link writeMovements} to write: for batches in which one who has too few must not
 * fail the others.
 * @throws DomainError `INSUFFICIENT_POINTS`; then nothing is entered
 */
export function enterSpending(ledger: Ledger, spending: PointChange): PointEntry {
  return enterCovered(ledger, { ...spending, type: 'SPEND', amount: -spending.amount });
}

/** Writes what has been entered, with what it drew. Balances that nothing was entered for stay as they are. */
export async function writeMovements(uow: UnitOfWork, ledger: Ledger, entered: readonly PointEntry[]): Promise<void> {
  // Before the lines are written, because those of spendings say what was drawn.
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
  return enter(ledger, movement);
}

/** Points that the account can still take. Balances of 0.1.0 may exceed the limit. */
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

/** An operator gives the points, or gives them back. */
function noRoom({ type, amount }: PointMovement, room: Amount): DomainError {
  const max = amountToNumber(SUM_MAX);
  const fits = amountToNumber(room);
  return badRequest(
    type === 'REFUND'
      ? sentence`This gives ${amountToNumber(amount)} points back. A balance holds at most ${max}, and this one has room for ${fits} more. Take the rest away first, by AdjustPoints.`
      : sentence`\`amount\` is ${amountToNumber(amount)}. A balance holds at most ${max} points, and this one has room for ${fits} more.`,
  );
}
