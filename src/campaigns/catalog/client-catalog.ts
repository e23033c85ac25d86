import type { AudienceRule } from '../../audiences/audience-rule.ts';
import type { AttributeDefinition } from '../../attributes/attribute-definition.ts';
import type { StreakSettings } from '../../clients/streak-settings.ts';
import type { RuleCatalog } from '../../engine/catalog.ts';
import type { StatisticBoards } from '../../engine/leaderboards/board-plan.ts';
import type { LevelTrack } from '../../engine/levels/level-track.ts';
import type { ReadStatistic } from '../../engine/statistics/statistic-values.ts';
import type { Calendar } from '../../engine/time/calendar.ts';
import type { EventDeclarations } from '../event-definitions/event-definitions.queries.ts';
import type { RewardDefinition } from '../../rewards/definitions/reward-definition.ts';
import type { StatisticPlans } from '../../statistics/statistic-plans.ts';
import type { MissionEntity, ReachedColumn } from '../missions/mission.entity.ts';

/** Every definition of one client that events and reads need: a snapshot, kept in memory until a definition changes. */
export type ClientCatalog = {
  readonly rules: RuleCatalog;
  /** The type and attributes of events, by code. */
  readonly events: EventDeclarations;
  /** The declared attributes of the client's accounts. */
  readonly accountAttributes: readonly AttributeDefinition[];
  /** The missions, with the fields that reads show, by id. */
  readonly missions: ReadonlyMap<string, CatalogMission>;
  /** The campaigns by id, with the fields that reads show. */
  readonly campaigns: ReadonlyMap<string, CampaignText>;
  /** The statistics that events move. */
  readonly statistics: StatisticPlans;
  /** The statistics whose values an expression or a level track reads. */
  readonly readStatistics: readonly ReadStatistic[];
  /** Whether one of them counts points, which an event earns after it is decided. */
  readonly readsPoints: boolean;
  /** The level tracks, by id. */
  readonly levelTracks: ReadonlyMap<string, LevelTrack>;
  /** The active leaderboards, by the id of their statistic. */
  readonly leaderboards: ReadonlyMap<string, StatisticBoards>;
  /** Whether an expression of `ruleAudiences` reads statistics or levels, so that an event may change the audiences of the next one. */
  readonly audiencesReadStatistics: boolean;
  readonly rewards: ReadonlyMap<string, RewardDefinition>;
  /** The audiences of kind EVERYONE. */
  readonly everyoneAudienceIds: readonly string[];
  /** The audiences of kind RULE that missions and leaderboards address. */
  readonly ruleAudiences: readonly RuleAudience[];
  /** The names of MANUAL and EVERYONE audiences by id, if a condition, an amount or a RULE audience reads them; otherwise undefined. */
  readonly audienceNames: ReadonlyMap<string, string> | undefined;
  /** The zone of accounts without their own zone. */
  readonly calendar: Calendar;
  /** The settings of streaks for all accounts. */
  readonly streakSettings: StreakSettings;
  /** Whether the mission-completed webhook is configured; if not, no such messages are written. */
  readonly sendsCompletions: boolean;
};

/** A RULE audience and its compiled expression. */
export type RuleAudience = { readonly id: string; readonly rule: AudienceRule };

/** The fields of a campaign that reads show, without its missions. */
export type CampaignText = { readonly name: string };

/** The fields of a mission in the catalogue. */
export type CatalogMission = Omit<MissionEntity, 'campaign' | 'updatedAt' | 'active' | 'version' | ReachedColumn>;
