import { expect } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import type { Database } from '../../../src/persistence/database.ts';

/** Checks that `laurel verify` finds no difference: balances, stocks and all other derived values equal their recalculation. */
export async function expectExact(db: Database): Promise<void> {
  expect(await findDifferences(db)).toEqual([]);
}
