import type { Catalog } from '../../engine/catalog.ts';
import type { Calendar } from '../../engine/time/calendar.ts';
import type { EventType } from '../../engine/missions/mission-rule.ts';
import type { RewardDefinition } from '../../rewards/definitions/reward-definition.ts';
import type { MissionEntity } from '../missions/mission.entity.ts';

/** Every definition of one client that events and reads need: a snapshot, kept in memory until a definition changes. */
export type ClientCatalog = {
  readonly rules: Catalog;
  readonly eventTypes: ReadonlyMap<string, EventType>;
  /** The texts of the missions, by id. */
  readonly missions: ReadonlyMap<string, CatalogMission>;
  /** The campaigns, by id, as far as reads tell of them. */
  readonly campaigns: ReadonlyMap<string, CampaignText>;
  readonly rewards: ReadonlyMap<string, RewardDefinition>;
  /** Audiences that every account is in. */
  readonly everyoneAudienceIds: readonly string[];
  /** Of accounts that have no zone of their own. */
  readonly calendar: Calendar;
  /** Whether the mission-completed webhook is configured: else events need not say what they completed. */
  readonly sendsCompletions: boolean;
};

/** What reads tell of a campaign beside its missions. */
export type CampaignText = { readonly name: string };

/** A mission as the catalogue has it. */
export type CatalogMission = Omit<MissionEntity, 'campaign' | 'updatedAt' | 'active' | 'version'>;
