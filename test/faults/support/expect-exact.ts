import { expect } from 'vitest';
import { findDifferences } from '../../../src/commands/verify.ts';
import type { Database } from '../../../src/persistence/database.ts';

/** What `laurel verify` finds: balances, stocks and everything else that can be recomputed is what it says it is. */
export async function expectExact(db: Database): Promise<void> {
  expect(await findDifferences(db)).toEqual([]);
}
