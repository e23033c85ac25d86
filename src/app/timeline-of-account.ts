import { changeTimeline } from '../audit/timeline-source.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import { streakTimelines } from '../campaigns/streak-timelines.ts';
import { completionTimelines } from '../campaigns/timeline-sources.ts';
import { eventTimeline } from '../journal/timeline-source.ts';
import { leagueTimeline } from '../leaderboards/leagues/timeline-source.ts';
import { pointTimeline } from '../loyalty/timeline-source.ts';
import { reservationTimeline } from '../marketplace/timeline-source.ts';
import { refusalTimeline } from '../refused-calls/timeline-source.ts';
import { redemptionTimeline } from '../redemptions/timeline-source.ts';
import { rewardTimelines } from '../rewards/timeline-sources.ts';
import type { Source } from '../timeline/merge-sources.ts';

/** The timeline sources of all modules. It is in `app`, because only `app` may know all modules. */
export function timelineOfAccount(catalogs: Catalogs): readonly Source[] {
  return [
    eventTimeline(catalogs),
    ...completionTimelines(catalogs),
    ...rewardTimelines,
    pointTimeline,
    redemptionTimeline,
    reservationTimeline,
    ...streakTimelines(catalogs),
    leagueTimeline,
    refusalTimeline,
    changeTimeline,
  ];
}
