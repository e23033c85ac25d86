import type { UnitOfWork } from '../../../persistence/database.ts';
import { unitsTakenInADay } from '../../../redemptions/units-taken.ts';
import { soldOutAt } from './sold-out-at.ts';
import { CAUSES_MAX, type AttentionItem } from '../../../activity/causes.ts';

const DAY_MS = 86_400_000;

/** A product is reported if it will be sold out within this time. */
const SOON_MS = 2 * DAY_MS;

/** A product with sales, or one that may run out. */
export type Outlook = {
  readonly id: string;
  readonly name: string;
  /** Units outside of publications. */
  readonly unitsLeft: number;
  /** Units taken in 24 hours. */
  readonly unitsTaken: number;
  /** The expected time of selling out at that rate; undefined without sales, or if it is sold out already. */
  readonly soldOutAt: Date | undefined;
  readonly low: boolean;
};

type Row = { readonly id: string; readonly name: string; readonly units_left: number; readonly low: boolean };

const read = new WeakMap<UnitOfWork, Promise<readonly Outlook[]>>();

/**
 * The forecast of counted stocks in use at the rate of the last 24 hours: low products and products with sales, by the
 * expected time of selling out. Read once for each unit of work.
 */
export function stockOutlook(uow: UnitOfWork, now: Date): Promise<readonly Outlook[]> {
  const known = read.get(uow) ?? readOutlook(uow, now);
  read.set(uow, known);
  return known;
}

async function readOutlook(uow: UnitOfWork, now: Date): Promise<readonly Outlook[]> {
  const taken = await unitsTakenInADay(uow, now);
  const rows = await uow.query<Row>(
    `select * from (
       select id, name, stock - allocated as units_left,
              coalesce(stock - allocated < low_stock_threshold or (stock - allocated = 0 and low_stock_threshold is not null), false) as low
         from product where client_id = $1 and deleted_at is null and stock_mode <> 'UNLIMITED'
     ) p where low or id = any($2::uuid[])`,
    [uow.clientId, [...taken.keys()]],
  );
  return rows
    .map((row) => outlookOf(row, taken.get(row.id) ?? 0, now))
    .toSorted((one, other) => endOf(one) - endOf(other));
}

function outlookOf({ id, name, low, units_left: unitsLeft }: Row, unitsTaken: number, now: Date): Outlook {
  const rate = { free: unitsLeft, unitsTaken, inMs: DAY_MS };
  return { id, name, low, unitsLeft, unitsTaken, soldOutAt: soldOutAt(rate, now) };
}

function endOf({ unitsLeft, soldOutAt }: Outlook): number {
  return unitsLeft <= 0 ? 0 : (soldOutAt?.getTime() ?? Infinity);
}

/** Products that are low, sold out in spite of demand, or sold out soon. */
export async function lowProducts(uow: UnitOfWork, now: Date): Promise<readonly AttentionItem[]> {
  const soon = now.getTime() + SOON_MS;
  const urgent = now.getTime() + DAY_MS;
  return (await stockOutlook(uow, now))
    .filter((outlook) => outlook.low || endOf(outlook) <= soon)
    .slice(0, CAUSES_MAX)
    .map(({ id, name, unitsLeft, unitsTaken, soldOutAt, ...outlook }) => ({
      about: id,
      subjectId: id,
      subject: name,
      unitsLeft,
      unitsTaken,
      until: soldOutAt,
      severity: endOf({ id, name, unitsLeft, unitsTaken, soldOutAt, ...outlook }) <= urgent ? 'URGENT' : 'WARNING',
    }));
}
