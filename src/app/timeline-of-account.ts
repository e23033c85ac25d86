import { changeTimeline } from '../audit/timeline-source.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import { completionTimelines } from '../campaigns/timeline-sources.ts';
import { eventTimeline } from '../journal/timeline-source.ts';
import { pointTimeline } from '../loyalty/timeline-source.ts';
import { reservationTimeline } from '../marketplace/timeline-source.ts';
import { redemptionTimeline } from '../redemptions/timeline-source.ts';
import { rewardTimelines } from '../rewards/timeline-sources.ts';
import type { Source } from '../timeline/merge-sources.ts';

/** What every module tells of what happened to an account. Here because only what assembles the modules may know all of them. */
export function timelineOfAccount(catalogs: Catalogs): readonly Source[] {
  return [
    eventTimeline(catalogs),
    ...completionTimelines(catalogs),
    ...rewardTimelines,
    pointTimeline,
    redemptionTimeline,
    reservationTimeline,
    changeTimeline,
  ];
}
