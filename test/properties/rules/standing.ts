import { ONE } from '../../../src/kernel/amount.ts';
import { ENDLESS, type MissionRule } from '../../../src/engine/missions/mission-rule.ts';
import {
  type Arrival,
  daysAfter,
  daysOf,
  isDay,
  isOpen,
  isRunning,
  keyAt,
  type Life,
  lifeUntil,
  longestEver,
  opensNext,
  type Outcome,
  periodEndAt,
  replay,
  replayRoutine,
  runningSince,
  type Stay,
  streakToday,
  sumsByPeriod,
  type Today,
} from '../../engine/naive-model.ts';
import { expressions, type Judged } from './expressions.ts';
import type { JudgedAccount } from './formulas.ts';
import {
  type AccountState,
  type CampaignState,
  type EventArrival,
  type Lock,
  memberSince,
  type MissionState,
  type Reason,
} from './states.ts';
import type { Campaign, Game, Mission } from './steps.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The progress of accounts in missions, computed from the whole history of the accounts, their client and the campaigns. */
export function createStanding(
  { missions, zone, startsHoursBefore, endsHoursAfter, isOpenByRule, heldBack }: Game,
  begun: number,
) {
  const clientZones: Stay[] = [{ from: -Infinity, zone }];
  const running = (home: Campaign): CampaignState => {
    return { status: 'ACTIVE', pauses: [], endsAt: begun + (endsHoursAfter[home] ?? Infinity) * HOUR };
  };
  const campaigns: Record<Campaign, CampaignState> = { open: running('open'), claimed: running('claimed') };
  const alone = { endsAt: Infinity };

  const campaignOf = ({ home }: Mission) => (home === 'alone' ? undefined : campaigns[home]);
  const endOf = (mission: Mission) => campaignOf(mission)?.endsAt ?? alone.endsAt;

  /** Whether a mission is for the accounts of tier GOLD: nobody knows since when an account has been in that audience. */
  const isByRule = ({ home }: Mission) => home === 'open' && isOpenByRule;

  /** Whether an account is in the control group of a mission's campaign. */
  const isHeldBack = ({ who }: AccountState, { home }: Mission) =>
    home !== 'alone' && (heldBack[home]?.includes(who) ?? false);

  /** Whether an event occurred too early: before the start of its campaign or mission, or before its activation or creation. */
  function isBefore({ home }: Mission, { at }: Arrival): 'start' | 'activation' | undefined {
    const hours = startsHoursBefore[home];
    if (hours === undefined) return at < begun - MINUTE ? 'activation' : undefined;
    return at < begun - hours * HOUR ? 'start' : undefined;
  }

  /** The time zones of an account: at each time its own zone or, without one, its client's. */
  function staysOf({ zones }: AccountState): Stay[] {
    const moments = [...new Set([...zones, ...clientZones].map(({ from }) => from))].toSorted((a, b) => a - b);
    const own = (moment: number) => zones.findLast(({ from }) => from <= moment)!.zone;
    const client = (moment: number) => clientZones.findLast(({ from }) => from <= moment)!.zone;
    return moments.map((from) => ({ from, zone: own(from) ?? client(from) }));
  }

  const lifeOf = (account: AccountState, mission: Mission): Life => ({
    stays: staysOf(account),
    pauses: campaignOf(mission)?.pauses ?? [],
  });

  const ruleOf = (mission: Mission): MissionRule => ({
    id: 'm',
    programmaticCode: 'PAY',
    rewardIds: [],
    type: mission.type,
    period: mission.period,
    target: mission.isEndless ? ENDLESS : BigInt(mission.target) * ONE,
    perPeriodTarget: BigInt(mission.perPeriodTarget ?? 1) * ONE,
    gracePeriods: mission.gracePeriods,
    occurrences: mission.occurrences,
    durationDays: mission.durationDays,
    counts: mission.counts,
    repeat: mission.repeat,
    conditions: {
      ...mission.conditions,
      // The model judges by the meaning that the games give to each text.
      expression: undefined,
      minAmount: amountOf(mission.conditions.minAmount),
      maxAmount: amountOf(mission.conditions.maxAmount),
      maxPerPeriod: amountOf(mission.conditions.maxPerPeriod),
    },
  });

  /** The progress of each period of a ROUTINE in which an event counted. */
  const periodsOf = (account: AccountState, mission: Mission) =>
    replayRoutine(ruleOf(mission), lifeOf(account, mission), account.arrivals.get(mission)!);

  function completedPeriods(account: AccountState, mission: Mission): number {
    const target = BigInt(mission.target) * ONE;
    return [...periodsOf(account, mission).values()].filter((sum) => sum === target).length;
  }

  function outcomeOf(account: AccountState, mission: Mission, now: number): Outcome {
    return replay(ruleOf(mission), lifeOf(account, mission), account.arrivals.get(mission)!, now);
  }

  /** The milestones that an account has ever reached. */
  function milestonesOf(account: AccountState, mission: Mission): readonly number[] {
    const { milestones = [] } = mission;
    if (milestones.length === 0) return milestones;
    const longest = longestEver(ruleOf(mission), lifeOf(account, mission), account.arrivals.get(mission)!);
    return milestones.filter((length) => length <= longest);
  }

  /** Whether no further event counts. A mission that repeats is complete from its first round on, and over after its last. */
  function isOver(account: AccountState, mission: Mission, now: number): boolean {
    return mission.type === 'ROUTINE' ? isComplete(account, mission, now) : outcomeOf(account, mission, now).isOver;
  }

  /** The event that completed a mission for the first time. */
  function completedBy(account: AccountState, mission: Mission): Arrival {
    const arrivals = account.arrivals.get(mission)!;
    // Without `repeat` no event counts after it.
    if (mission.repeat === undefined) return arrivals.at(-1)!;
    const life = lifeOf(account, mission);
    const upTo = (index: number) => arrivals.slice(0, index + 1);
    return arrivals.find(({ now }, index) => replay(ruleOf(mission), life, upTo(index), now).isComplete)!;
  }

  function isComplete(account: AccountState, mission: Mission, now: number): boolean {
    if (mission.type !== 'ROUTINE') return outcomeOf(account, mission, now).isComplete;
    return mission.occurrences !== undefined && completedPeriods(account, mission) >= mission.occurrences;
  }

  function neededBy(mission: Mission): Mission | undefined {
    const own = missions.filter(({ home }) => home === mission.home);
    return mission.isLocked ? own[own.indexOf(mission) - 1] : undefined;
  }

  /** The reason for which a mission refuses an event before its progress is read. */
  function refusal(account: AccountState, mission: Mission, arrival: EventArrival): Reason | undefined {
    const { at, now, amount } = arrival;
    const campaign = campaignOf(mission);
    const early = isBefore(mission, arrival);
    if (campaign && (early === 'start' || at >= campaign.endsAt)) return 'CAMPAIGN_NOT_ACTIVE';
    if (campaign && !isRunning(campaign, arrival)) return 'CAMPAIGN_PAUSED';
    const wasMember = account.memberships.some(({ from, until }) => from - MINUTE <= at && at < until);
    if (mission.home === 'claimed' && !wasMember)
      return memberSince(account) === undefined ? 'NOT_IN_AUDIENCE' : 'BEFORE_JOINING';
    if (isByRule(mission) && account.tier !== 'GOLD') return 'NOT_IN_AUDIENCE';
    if (isHeldBack(account, mission)) return 'CONTROL_GROUP';
    if (early !== undefined) return early === 'activation' ? 'BEFORE_ACTIVATION' : 'NOT_STARTED';
    if (at >= endOf(mission)) return 'EXPIRED';
    if (isOver(account, mission, now)) return 'ALREADY_COMPLETED';
    const needed = neededBy(mission);
    if (needed && !isComplete(account, needed, now)) return 'PREREQUISITE_MISSING';
    if (needed && at < completedBy(account, needed).at) return 'BEFORE_PREREQUISITE';
    const rule = ruleOf(mission);
    if (amount < (rule.conditions?.minAmount ?? 0n)) return 'BELOW_MINIMUM';
    if (amount > (rule.conditions?.maxAmount ?? amount)) return 'ABOVE_MAXIMUM';
    if (!isOpen(rule, lifeOf(account, mission), at)) return 'OUTSIDE_HOURS';
    return unmet(account, mission, arrival);
  }

  /** The values of expressions about an event, before it counts. */
  function judged(account: AccountState, mission: Mission, arrival: EventArrival): Judged {
    const { zone } = staysOf(account).findLast(({ from }) => from <= arrival.at)!;
    const { hour } = Temporal.Instant.fromEpochMilliseconds(arrival.at).toZonedDateTimeISO(zone);
    return {
      amount: Number(arrival.amount) / Number(ONE),
      category: arrival.category,
      hour,
      progress: stateOf(account, mission, arrival.at, arrival.now).progress,
      ...judgedAccount(account),
    };
  }

  /** The reason for which the expression of a mission refuses an event. */
  function unmet(account: AccountState, mission: Mission, arrival: EventArrival): Reason | undefined {
    const { expression } = mission.conditions;
    if (expression === undefined) return undefined;
    const holds = expressions[expression](judged(account, mission, arrival));
    return holds === undefined ? 'ATTRIBUTE_MISSING' : holds ? undefined : 'CONDITION_NOT_MET';
  }

  /** The reason for which an accepted event does not change the progress of a mission. */
  function unmoved(account: AccountState, mission: Mission, arrival: Arrival): Reason | undefined {
    const [rule, life] = [ruleOf(mission), lifeOf(account, mission)];
    const before = account.arrivals.get(mission)!;
    const [first] = before;
    if (first && runningSince(life, first.at, arrival.at) >= daysOf(rule) * DAY) return 'EXPIRED';
    const key = keyAt(rule, life, arrival.at);
    if (mission.type === 'ROUTINE' && periodsOf(account, mission).get(key) === rule.target) return 'ALREADY_COMPLETED';
    const sums = sumsByPeriod(rule, life, before);
    const sum = sums.get(firstDayOf(rule, life, arrival)) ?? 0n;
    const cap = rule.conditions?.maxPerPeriod;
    if (mission.type === 'STREAK' && sum >= rule.perPeriodTarget!) return 'PERIOD_KEPT';
    const { cooldownMinutes } = mission.conditions;
    const counted = mission.type === 'ROUTINE' ? before.filter(({ at }) => keyAt(rule, life, at) === key) : before;
    const latest = Math.max(...counted.map(({ at }) => at));
    if (cooldownMinutes !== undefined && arrival.at < latest + cooldownMinutes * MINUTE) return 'COOLDOWN';
    return cap !== undefined && sum >= cap ? 'CAP_REACHED' : undefined;
  }

  /** The account's progress in a mission, in the period that contains `at`. */
  function stateOf(account: AccountState, mission: Mission, at: number, now: number): MissionState {
    if (mission.type !== 'ROUTINE') {
      const { progress, isOver: isDone, completions, streak } = outcomeOf(account, mission, now);
      const status = isDone ? 'COMPLETED' : 'ACTIVE';
      const state = { status, progress: Number(progress / ONE), periodKey: '', streak } as const;
      return mission.repeat === undefined ? state : { ...state, completions };
    }
    const periodKey = keyAt(ruleOf(mission), lifeOf(account, mission), at);
    const progress = Number((periodsOf(account, mission).get(periodKey) ?? 0n) / ONE);
    return { status: progress === mission.target ? 'COMPLETED' : 'ACTIVE', progress, periodKey };
  }

  /** The entry of a mission in the feed. */
  function view(account: AccountState, mission: Mission, now: number): MissionState | undefined {
    const life = lifeOf(account, mission);
    const occurrences =
      mission.occurrences === undefined
        ? undefined
        : { completed: completedPeriods(account, mission), target: mission.occurrences };
    if (mission.type === 'ROUTINE' && isComplete(account, mission, now)) {
      return { status: 'COMPLETED', progress: occurrences!.completed, periodKey: '', occurrences };
    }
    const present = stateOf(account, mission, now, now);
    const first = firstOf(account, mission, present.periodKey);
    const expiresAt = mission.type === 'ROUTINE' ? undefined : closesAt(mission, life, first);
    const nextMilestone = mission.milestones?.[milestonesOf(account, mission).length];
    const state = { ...present, occurrences, expiresAt, startedAt: first?.at, nextMilestone };
    if (state.status === 'COMPLETED') return state;
    if (!isOffered(account, mission, life, now)) return undefined;
    const since = mission.home === 'claimed' ? Math.max(account.createdAt, memberSince(account)!) : account.createdAt;
    if (!first && (isByRule(mission) ? now : since) >= endOf(mission)) return undefined;
    const isOut = first !== undefined && runningSince(life, first.at, now) >= daysOf(ruleOf(mission)) * DAY;
    if (isOut || now >= endOf(mission)) return { ...state, status: 'EXPIRED' };
    const today = mission.type === 'STREAK' ? todayOf(account, mission, now) : undefined;
    return { ...state, status: 'ACTIVE', today, locks: locksOf(account, mission, now, expiresAt ?? Infinity) };
  }

  function todayOf(account: AccountState, mission: Mission, now: number): Today {
    const today = streakToday(ruleOf(mission), lifeOf(account, mission), account.arrivals.get(mission)!, now);
    const { keepUntil } = today;
    return { ...today, keepUntil: keepUntil === undefined ? undefined : Math.min(keepUntil, endOf(mission)) };
  }

  function locksOf(account: AccountState, mission: Mission, now: number, expiresAt: number): Lock[] {
    const [rule, life, needs] = [ruleOf(mission), lifeOf(account, mission), neededBy(mission)];
    const locks: Lock[] = needs ? [{ needs, isMet: isComplete(account, needs, now) }] : [];
    if (isOpen(rule, life, now)) return locks;
    const end = mission.type === 'ROUTINE' ? Math.min(endOf(mission), periodEndAt(rule, life, now)) : expiresAt;
    const opensAt = opensNext(rule, life, now);
    return [...locks, { isClosed: true, opensAt: opensAt < end ? opensAt : undefined }];
  }

  /** The first event that counted; for a ROUTINE, in the given period. */
  function firstOf(account: AccountState, mission: Mission, periodKey: string): Arrival | undefined {
    const life = lifeOf(account, mission);
    const isIn = ({ at }: Arrival) => mission.type !== 'ROUTINE' || keyAt(ruleOf(mission), life, at) === periodKey;
    return account.arrivals.get(mission)!.find(isIn);
  }

  function closesAt(mission: Mission, life: Life, first: Arrival | undefined): number | undefined {
    const days = daysOf(ruleOf(mission));
    const deadline = first === undefined || days === Infinity ? Infinity : daysAfter(life, first.at, days);
    const end = Math.min(endOf(mission), deadline);
    return end === Infinity ? undefined : end;
  }

  function isOffered(account: AccountState, mission: Mission, { stays }: Life, now: number): boolean {
    if (mission.home === 'claimed' && memberSince(account) === undefined) return false;
    if (isByRule(mission) && account.tier !== 'GOLD') return false;
    if (isHeldBack(account, mission)) return false;
    if (campaignOf(mission)?.status === 'PAUSED') return false;
    if (mission.type !== 'ROUTINE' || mission.period !== 'DAY') return true;
    const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(stays.at(-1)!.zone);
    return isDay(ruleOf(mission).conditions!, local.dayOfWeek);
  }

  return {
    ...{ clientZones, campaigns, alone, isComplete, isOver, judged, refusal, unmoved, stateOf, view, periodsOf },
    milestonesOf,
  };
}

/** The values of an account: a RULE audience is never among the names. */
export function judgedAccount(account: Pick<AccountState, 'tier' | 'memberships'>): JudgedAccount {
  const isMember = memberSince(account) !== undefined;
  return { tier: account.tier, audiences: new Set(isMember ? ['Everyone', 'Some'] : ['Everyone']) };
}

function amountOf(units: number | undefined): bigint | undefined {
  return units === undefined ? undefined : BigInt(units) * ONE;
}

/** The key of an arrival's period in `sumsByPeriod`. */
function firstDayOf(rule: MissionRule, life: Life, arrival: Arrival): string {
  return [...sumsByPeriod({ ...rule, conditions: {} }, lifeUntil(life, arrival.now), [arrival]).keys()][0]!;
}
