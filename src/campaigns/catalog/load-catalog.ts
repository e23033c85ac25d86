import { audienceNames } from '../../audiences/audience-names.queries.ts';
import { environmentOf, readsAudiences, ruleOf } from '../../audiences/audience-rule.ts';
import { audiencesWithoutRows } from '../../audiences/audiences.queries.ts';
import { declaredAttributes } from '../../clients/account-attributes.ts';
import { streakSettings } from '../../clients/streak-settings.ts';
import { clientZones } from '../../clients/client-zones.ts';
import { compileSteps } from '../../engine/catalog.ts';
import { storedExpression } from '../../engine/missions/event-expression.ts';
import { readsLevels } from '../../engine/levels/level-variables.ts';
import { followsRewards } from '../../engine/statistics/statistic-value.ts';
import { readsStatistics, statisticName } from '../../engine/statistics/statistic-variables.ts';
import type { CampaignRule, MissionRule } from '../../engine/missions/mission-rule.ts';
import { inTimeSlices } from '../../kernel/concurrency/time-slices.ts';
import { boardsByStatistic } from '../../engine/leaderboards/board-plan.ts';
import { activeLeaderboards, boardPlans } from '../../leaderboards/definitions/leaderboards.queries.ts';
import { trackPlans } from '../../levels/level-plans.ts';
import { levelTracks } from '../../levels/tracks/level-tracks.queries.ts';
import { statisticDefinitions } from '../../statistics/definitions/statistic-definitions.queries.ts';
import { compileStatistics } from '../../statistics/statistic-plans.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { loadRewards } from '../../rewards/definitions/rewards.queries.ts';
import { sendsCompletions } from '../../webhooks/configuration/webhook-definitions.ts';
import type { CampaignText, CatalogMission, ClientCatalog } from './client-catalog.ts';
import { campaignPages, missionPages } from './catalog.queries.ts';
import { eventDeclarations } from '../event-definitions/event-definitions.queries.ts';
import { anyEvent } from '../formulas/check-formula.ts';
import { campaignRule, missionRule } from './rules.ts';

/**
 * Reads every definition of a client and compiles the rules, page by page and in time slices: a client with thousands of
 * missions does not delay other clients.
 */
export async function loadCatalog(uow: UnitOfWork): Promise<ClientCatalog> {
  const events = await eventDeclarations(uow);
  // Missions are read before their campaigns, and rewards after both. So definitions that are created meanwhile appear without their parts,
  // and no part refers to an unread definition.
  const missions = new Map<string, CatalogMission>();
  const missionRules: MissionRule[] = [];
  for await (const page of missionPages(uow)) {
    for (const mission of page) {
      missions.set(mission.id, mission);
      missionRules.push(missionRule(mission, events));
    }
  }
  const campaignRules: CampaignRule[] = [];
  const campaigns = new Map<string, CampaignText>();
  for await (const page of campaignPages(uow)) {
    for (const campaign of page) {
      campaigns.set(campaign.id, { name: campaign.name });
      campaignRules.push(campaignRule(campaign));
    }
  }
  // A draft may have been deleted since its missions were read.
  const campaignIds = new Set<string | undefined>([undefined, ...campaignRules.map(({ id }) => id)]);
  const present = missionRules.filter(({ campaignId }) => campaignIds.has(campaignId));
  const rules = await inTimeSlices(compileSteps(present, campaignRules));
  const { attributes: accountAttributes } = await declaredAttributes(uow);
  const calendar = await clientZones(uow);
  const withoutRows = await audiencesWithoutRows(uow);
  const boards = await activeLeaderboards(uow);
  const addressed = new Set([
    ...rules.missions.values().flatMap(({ audienceIds = [] }) => audienceIds),
    ...boards.flatMap(({ audienceIds }) => audienceIds),
  ]);
  const definedStatistics = await statisticDefinitions(uow);
  const tracks = await levelTracks(uow);
  const environment = environmentOf({ attributes: accountAttributes, statistics: definedStatistics, tracks, calendar });
  const rewards = await loadRewards(uow);
  const statistics = compileStatistics(definedStatistics, events, calendar);
  const ruleAudiences = withoutRows.flatMap(({ id, expression }) =>
    expression !== null && addressed.has(id) ? [{ id, rule: ruleOf(expression, environment) }] : [],
  );
  const amounts = [...rewards.values()].flatMap(({ amountExpression }) => amountExpression ?? []);
  const ofEvents = { environment: anyEvent(events, accountAttributes) };
  const expressions: ReadonlyArray<{ readonly names: ReadonlySet<string> }> = [
    ...ruleAudiences.map(({ rule }) => rule),
    ...[...statistics.byId.values()].flatMap(({ condition }) => condition ?? []),
    ...[...rules.missions.values()].flatMap(({ conditions }) => conditions.expression ?? []),
    ...amounts.map((text) => storedExpression(text, ofEvents, 'NUMBER')),
  ];
  const ofTracks = new Set(tracks.map(({ statisticCode }) => statisticCode));
  const plans = [...statistics.byId.values()];
  const readStatistics = plans.filter(
    ({ code }) => ofTracks.has(code) || expressions.some(({ names }) => names.has(statisticName(code))),
  );
  return {
    rules,
    events,
    accountAttributes,
    missions,
    campaigns,
    statistics,
    readStatistics,
    readsPoints: readStatistics.some(({ source }) => followsRewards[source]),
    levelTracks: trackPlans(tracks, new Map(plans.map((plan) => [plan.code, plan]))),
    leaderboards: boardsByStatistic(boardPlans(boards, new Map(plans.map((plan) => [plan.code, plan])))),
    audiencesReadStatistics: ruleAudiences.some(({ rule }) => readsStatistics(rule) || readsLevels(rule)),
    rewards,
    everyoneAudienceIds: withoutRows.flatMap(({ id, expression }) => (expression === null ? [id] : [])),
    ruleAudiences,
    audienceNames: expressions.some(readsAudiences) ? await audienceNames(uow) : undefined,
    calendar,
    streakSettings: await streakSettings(uow),
    sendsCompletions: await sendsCompletions(uow),
  };
}
