import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import { lackingConditions } from '../campaigns/expressions/lacking-conditions.ts';
import { endingCampaigns } from '../campaigns/statistics/ending-campaigns.ts';
import { shortCampaigns } from '../campaigns/statistics/short-campaigns.ts';
import { waitingCloses } from '../leaderboards/runs/waiting-closes.ts';
import { failedImports } from '../imports/failed-imports.ts';
import { recentEvents } from '../journal/recent-events.ts';
import { waitingProducts } from '../rewards/delivery/waiting-products.ts';
import { replenishedPublications } from '../marketplace/publications/replenished-publications.ts';
import { outlierCauses } from '../outliers/outlier-causes.ts';
import { lowProducts } from '../rewards/products/stock/low-products.ts';
import { clockCause } from '../housekeeping/clock/clock-cause.ts';
import type { ClockWatch } from '../housekeeping/clock/clock-watch.ts';
import type { CauseReaders } from '../activity/causes.ts';
import { refusedCauses } from '../refused-calls/refused-causes.ts';
import { deadTriggerCause } from '../triggers/inbox/dead-trigger-cause.ts';
import { failingWebhooks } from '../webhooks/delivery/failing-webhooks.ts';

/**
 * Every cause that needs attention, in the order of reports. It is in `app`, because only `app` may know all modules.
 * @param clockWatch the clock watch of this process; without it the clock is trusted
 */
export const causesWith = (catalogs: Catalogs, clockWatch?: Pick<ClockWatch, 'doubt'>): CauseReaders => ({
  CLOCK_DOUBTED: clockCause(clockWatch),
  WEBHOOK_FAILING: failingWebhooks,
  DEAD_TRIGGERS: deadTriggerCause,
  REWARDS_WAITING: waitingProducts,
  CLOSE_WAITING: waitingCloses,
  PRODUCT_LOW: lowProducts,
  PUBLICATION_PAUSED: replenishedPublications,
  CAMPAIGN_SHORT: shortCampaigns,
  CONDITION_LACKING: lackingConditions(catalogs, recentEvents),
  CAMPAIGN_ENDING: endingCampaigns,
  IMPORT_FAILED: failedImports,
  CALLS_REFUSED: refusedCauses,
  EVENTS_OUTLIER: outlierCauses('EVENTS'),
  POINTS_OUTLIER: outlierCauses('POINTS'),
});
