import { Hash, Infinity as Unlimited, type LucideIcon, Ticket } from 'lucide-react';
import { Product_StockMode } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { enumName } from '../../api/enum-name.ts';

/** The stock modes of products, by their names in the proto. */
export const stockModes = ['CODES', 'COUNTED', 'UNLIMITED'] as const;

/** The name of a stock mode. */
export type StockModeName = (typeof stockModes)[number];

/** A picture for each mode. */
export const stockIcons: Readonly<Record<StockModeName, LucideIcon>> = {
  CODES: Ticket,
  COUNTED: Hash,
  UNLIMITED: Unlimited,
};

/** The name of a stock mode. @throws Error for a value that this page does not know */
export function stockModeName(mode: Product_StockMode): StockModeName {
  return enumName(Product_StockMode, mode);
}
