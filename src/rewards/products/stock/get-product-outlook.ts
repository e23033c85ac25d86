import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  GetProductOutlookRequest,
  GetProductOutlookResponseSchema,
} from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import type { Call } from '../../../clients/call.ts';
import { DAY, MINUTE } from '../../../kernel/time/timestamp.ts';
import { unitsTakenOf } from '../../../redemptions/units-taken.ts';
import { requireProductDetails } from '../products.queries.ts';
import { soldOutAt } from './sold-out-at.ts';

const HOUR = 60 * MINUTE;

/** Returns the rates of one product: proto ProductAdminService.GetProductOutlook. */
export function getProductOutlook(
  { db, principal, now }: Call,
  { id }: GetProductOutlookRequest,
): Promise<MessageInitShape<typeof GetProductOutlookResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { stock_mode: stockMode, stock, allocated } = await requireProductDetails(uow, id);
    const free = stockMode === 'UNLIMITED' ? undefined : stock - allocated;
    const taken = await unitsTakenOf(uow, id, now);
    const rateOf = (unitsTaken: number, days: number) => {
      const at = free === undefined ? undefined : soldOutAt({ free, unitsTaken, inMs: days * DAY }, now);
      return { unitsTaken, soldOutAt: at && timestampFromDate(toTheHour(at)) };
    };
    return { free, day: rateOf(taken.day, 1), week: rateOf(taken.week, 7) };
  });
}

/** An estimate is no more exact than that, and two reads in a row should agree. */
function toTheHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR) * HOUR);
}
