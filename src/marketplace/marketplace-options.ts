import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../persistence/database.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';

/** What the marketplace is made of. `dispatcher` is told of webhooks once the call that caused them is answered. */
export type MarketplaceOptions = {
  readonly db: Database;
  readonly clock: Clock;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
};
