import type { Publication } from '../../../../gen/laurel/v1/marketplace_pb.ts';

/** Units of a publication that could be sold now if it were published: its agreement, if any, must have them too. */
export function sellable({ availableStock, agreementAvailable }: Publication): number {
  return Math.min(availableStock, agreementAvailable ?? availableStock);
}
