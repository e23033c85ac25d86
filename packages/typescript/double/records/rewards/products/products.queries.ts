import type { UnitOfWork } from '../../../../../../src/persistence/database.ts';
import type { Product } from '../../../../../../src/rewards/products/product.ts';
import { productOf } from '../../../product-of.ts';
import { driverRow, type Row, storeOf } from '../../../store.ts';

export async function findProduct(uow: UnitOfWork, id: string): Promise<Product | undefined> {
  const row = rowOf(uow, id);
  return row && productOf(row);
}

/** The row for administrators, whose existence the caller knows. */
export async function requireProductDetails(uow: UnitOfWork, id: string): Promise<Row> {
  return driverRow(rowOf(uow, id)!);
}

/** Products of the double have no codes, and so no items. */
export async function itemsOf(): Promise<Map<string, never[]>> {
  return new Map();
}

function rowOf(uow: UnitOfWork, id: string): Row | undefined {
  return storeOf(uow)
    .rows('product')
    .find((row) => row['id'] === id.toLowerCase());
}
