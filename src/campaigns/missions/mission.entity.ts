import { defineEntity, p } from '@mikro-orm/core';
import type { Milestone, MissionRepeat } from '../../engine/missions/mission-rule.ts';
import { columns, ownedByClient } from '../../persistence/connections/columns.ts';
import { CampaignEntity } from '../campaigns/campaign.entity.ts';
import { MISSION_COUNTS, MISSION_REVERSALS, MISSION_TYPES } from './mission-types.ts';

/** A mission of a campaign, or a standalone mission for an audience. */
export const missionTable = defineEntity({
  name: 'MissionEntity',
  tableName: 'mission',
  ...ownedByClient,
  indexes: [{ name: 'mission_campaign', properties: ['clientId', 'campaignId'] }],
  checks: [
    { name: 'mission_home_check', expression: 'campaign_id is null or audience_id is null' },
    { name: 'mission_target_check', expression: 'target > 0' },
  ],
  properties: {
    clientId: columns.clientId(),
    id: columns.id(),
    campaignId: columns.reference().nullable(),
    campaign: columns.parent(CampaignEntity, 'campaign_id'),
    /** Set only without a campaign. */
    audienceId: columns.reference().nullable(),
    type: columns.oneOf(MISSION_TYPES),
    name: columns.text(),
    description: columns.text().default(''),
    imageUrl: columns.text().nullable(),
    programmaticCode: columns.byteExactText(),
    /** Occurrences, a sum, or for a STREAK a number of periods; `ENDLESS` for one without an end. */
    target: columns.amount(),
    /** EVENTS: the events of an AMOUNT code count, not the sum of their amounts. */
    counts: columns.oneOf(MISSION_COUNTS).nullable(),
    /** The rounds of a mission that starts again; null for one that is completed once. */
    repeat: p.json<MissionRepeat>().nullable(),
    rewardIds: columns.references(),
    /** The conditions of events: see `mission-conditions.ts`. */
    conditions: p.json<Record<string, unknown>>().default('{}'),
    period: columns.oneOf(['DAY', 'WEEK', 'MONTH']).nullable(),
    perPeriodTarget: columns.amount().nullable(),
    /** Missed periods that a STREAK survives. */
    gracePeriods: p.integer().default(0),
    /** The lengths of a STREAK at which it pays rewards, shortest first; null without any. */
    milestones: p.json<readonly Milestone[]>().nullable(),
    /** STRICT: a reversal also reaches periods that are over. */
    onReversal: columns.oneOf(MISSION_REVERSALS).nullable(),
    /** Completed periods that complete a ROUTINE; without it the routine never ends. */
    occurrences: p.integer().nullable(),
    startsAt: columns.moment().nullable(),
    endsAt: columns.moment().nullable(),
    /** Days of 24 hours from the first progress of a CHALLENGE. */
    durationDays: p.integer().nullable(),
    position: p.integer().default(0),
    /** Whether a standalone mission is enabled; a mission in a campaign depends on the campaign's status. */
    active: p.boolean().default(true),
    /**
     * Increases with every change of a standalone mission, so that two operators do not overwrite each other. A mission in a campaign uses
     * the campaign's version.
     */
    version: p.integer().default(1),
    /** The time at which accounts that have reached a lowered target are completed next; null if all are. */
    reachedDueAt: columns.moment().nullable(),
    /** 1 for accounts that had reached it at the change, 2 for those of transactions that were in progress then. */
    reachedPass: p.integer().nullable(),
    /** The account up to which the pass has come; null at its beginning. */
    reachedAfterId: columns.reference().nullable(),
    createdAt: columns.createdAt(),
    updatedAt: columns.updatedAt(),
  },
});

export class MissionEntity extends missionTable.class {}
missionTable.setClass(MissionEntity);

/** The columns of a lowered target, which no definition and no catalogue has. */
export type ReachedColumn = 'reachedDueAt' | 'reachedPass' | 'reachedAfterId';
