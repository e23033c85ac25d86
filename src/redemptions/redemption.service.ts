import type { RedemptionService } from '../../gen/laurel/v1/redemption_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { listRedemptions } from './list-redemptions.ts';

/** The operations on redemptions. */
export const redemptionService = {
  listRedemptions,
} satisfies Handlers<typeof RedemptionService>;
