import fc from 'fast-check';
import type { MissionConditions } from '../../../src/engine/missions/mission-rule.ts';
import type { PeriodUnit } from '../../../src/engine/time/period.ts';
import { samples } from '../../engine/condition-samples.ts';
import { type Category, expressions, type ExpressionText, type Tier } from './expressions.ts';
import { accountFormulas, type AccountFormulaText, formulas, type FormulaText } from './formulas.ts';

/** The accounts: two exist from the beginning, and the third is created by its first event. */
export const players = ['ada', 'bob', 'eve'] as const;
export type Player = (typeof players)[number];

/** The place of a mission: the campaign that closes automatically, the claimable campaign, or no campaign. */
export type Home = 'open' | 'claimed' | 'alone';
export type Campaign = Exclude<Home, 'alone'>;

/** The conditions of a mission in a request; days are ISO numbers, Monday is 1. Prerequisites follow from `isLocked`. */
export type Conditions = {
  readonly [Name in Exclude<keyof MissionConditions, 'prerequisiteMissionIds'>]?:
    | (Name extends 'expression'
        ? ExpressionText
        : Exclude<MissionConditions[Name], undefined> extends bigint
          ? number
          : MissionConditions[Name])
    | undefined;
};

/** A mission; its amounts are whole numbers. */
export type Mission = {
  readonly home: Home;
  readonly type: 'MISSION' | 'CHALLENGE' | 'STREAK' | 'ROUTINE';
  readonly target: number;
  readonly period: PeriodUnit;
  readonly perPeriodTarget?: number | undefined;
  readonly gracePeriods?: number | undefined;
  /** A STREAK without a target. */
  readonly isEndless?: boolean | undefined;
  /** The lengths at which a STREAK pays seven points, rising. */
  readonly milestones?: readonly number[] | undefined;
  readonly occurrences?: number | undefined;
  readonly durationDays?: number | undefined;
  readonly counts?: 'EVENTS' | undefined;
  readonly repeat?: { readonly max?: number | undefined } | undefined;
  readonly conditions: Conditions;
  /** The amount of its points; undefined for one point. The first mission gives a product instead. */
  readonly formula?: FormulaText | undefined;
  /** Whether the previous mission in the same campaign is a prerequisite. */
  readonly isLocked: boolean;
};

type EventParts = {
  readonly who: Player;
  readonly amount: number;
  readonly category?: Category | undefined;
  readonly lateMs: number;
};

/** An event that is applied at once, with or without a simulation first, or an asynchronous event that waits for the next `apply`. */
export type Event = (EventParts & { readonly do: 'emit' | 'simulate' }) | (EventParts & { readonly do: 'accept' });

/** An action of a player or an operator. */
export type Action =
  | Event
  | { readonly do: 'apply' }
  | { readonly do: 'join' | 'leave' | 'claim' | 'look'; readonly who: Player }
  | { readonly do: 'move'; readonly who: Player; readonly zone: string | null }
  | { readonly do: 'moveAll'; readonly zone: string }
  /** A change of the account's attribute; null removes it. */
  | { readonly do: 'rank'; readonly who: Player; readonly tier: Tier | null }
  | { readonly do: 'pause' | 'resume' | 'end'; readonly campaign: Campaign }
  | { readonly do: 'reschedule'; readonly campaign: Campaign; readonly hours: number | null }
  | { readonly do: 'endAlone' };

/** An action, `waitMs` milliseconds after the previous one. */
export type Step = { readonly waitMs: number; readonly action: Action };

const QUARTER = 900_000;
const HOUR = 4 * QUARTER;

const zones = fc.constantFrom(
  'Pacific/Niue',
  'America/Los_Angeles',
  'America/Santiago',
  'America/St_Johns',
  'UTC',
  'Europe/Madrid',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
);
const who = fc.constantFrom<Player>('ada', 'ada', 'ada', 'bob', 'bob', 'eve');
const campaign = fc.constantFrom<Campaign>('open', 'claimed');
const optional = <T>(arbitrary: fc.Arbitrary<T>, freq = 2) => fc.option(arbitrary, { nil: undefined, freq });
const weighted = (weight: number, arbitrary: fc.Arbitrary<Action>) => ({ weight, arbitrary });

const action: fc.Arbitrary<Action> = fc.oneof(
  weighted(
    22,
    fc.record({
      do: fc.constantFrom<Event['do']>('emit', 'emit', 'emit', 'simulate', 'accept'),
      who,
      amount: fc.integer({ min: 1, max: 6 }),
      category: optional(fc.constantFrom<Category>('tea', 'coffee'), 3),
      lateMs: fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 0, max: 86_400_000 })),
    }),
  ),
  weighted(2, fc.constant<Action>({ do: 'apply' })),
  weighted(5, fc.record({ do: fc.constant('look' as const), who })),
  weighted(5, fc.record({ do: fc.constantFrom('join' as const, 'join' as const, 'leave' as const), who })),
  weighted(3, fc.record({ do: fc.constant('claim' as const), who })),
  weighted(2, fc.record({ do: fc.constant('move' as const), who, zone: fc.option<string>(zones, { freq: 4 }) })),
  weighted(2, fc.record({ do: fc.constant('moveAll' as const), zone: zones })),
  weighted(
    4,
    fc.record({
      do: fc.constant('rank' as const),
      who,
      tier: fc.constantFrom<Tier | null>('GOLD', 'GOLD', 'SILVER', null),
    }),
  ),
  weighted(4, fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const, 'resume' as const), campaign })),
  weighted(
    1,
    fc.record({
      do: fc.constant('reschedule' as const),
      campaign,
      hours: fc.option<number>(fc.integer({ min: 1, max: 240 }), { freq: 3 }),
    }),
  ),
);

/** The end of a campaign or mission; it occurs only late in a game. */
const ending: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant('end' as const), campaign }),
  fc.constant<Action>({ do: 'endAlone' }),
);

/** The time between steps: most often hours, sometimes days. */
const wait = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 10 * HOUR }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 120 }).map((quarters) => quarters * QUARTER) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }).map((days) => days * 24 * HOUR) },
);

const sequence = (actions: fc.Arbitrary<Action>, length: number) =>
  fc.array(fc.record({ waitMs: wait, action: actions }), {
    minLength: Math.floor(length / 4),
    maxLength: length,
    size: 'max',
  });

/**
 * An account joins the audience, leaves, and may come back. One event waits in the meantime, and late events follow: from the time in the
 * audience, after it, and the minute before it.
 */
const visit: fc.Arbitrary<Step[]> = fc
  .record({
    who,
    amount: fc.integer({ min: 1, max: 6 }),
    stayMs: fc.integer({ min: 0, max: 8 * HOUR }),
    awayMs: fc.integer({ min: 0, max: 8 * HOUR }),
    lateMs: fc.array(fc.integer({ min: 0, max: 18 * HOUR }), { minLength: 1, maxLength: 3 }),
    comesBack: fc.boolean(),
  })
  .map(({ who: guest, amount, stayMs, awayMs, lateMs, comesBack }) => {
    const event = (does: Event['do'], late: number): Action => ({ do: does, who: guest, amount, lateMs: late });
    const step = (does: Action, waitMs = 0): Step => ({ waitMs, action: does });
    return [
      step({ do: 'join', who: guest }),
      step(event('accept', 0), stayMs),
      step({ do: 'leave', who: guest }),
      ...(comesBack ? [step({ do: 'join', who: guest }, awayMs)] : []),
      step({ do: 'apply' }, comesBack ? 0 : awayMs),
      ...lateMs.map((late) => step(event('simulate', late))),
    ];
  });

/**
 * An account gets the tier GOLD and loses it, and may get it back. Its events occur with and without the tier; one of them waits, and is
 * judged by the tier at its application.
 */
const promotion: fc.Arbitrary<Step[]> = fc
  .record({
    who,
    amounts: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 4, maxLength: 4 }),
    after: fc.constantFrom<Tier | null>('SILVER', null),
    waitMs: fc.integer({ min: 0, max: 4 * HOUR }),
    lateMs: fc.integer({ min: 0, max: 8 * HOUR }),
    comesBack: fc.boolean(),
  })
  .map(({ who: guest, amounts, after, waitMs, lateMs, comesBack }) => {
    const step = (does: Action, wait = 0): Step => ({ waitMs: wait, action: does });
    const rank = (tier: Tier | null) => step({ do: 'rank', who: guest, tier }, waitMs);
    const event = (does: Event['do'], number: number, late = 0) =>
      step({ do: does, who: guest, amount: amounts[number]!, category: 'tea', lateMs: late });
    return [
      event('accept', 0),
      rank('GOLD'),
      event('simulate', 1, lateMs),
      rank(after),
      event('simulate', 2),
      ...(comesBack ? [rank('GOLD')] : []),
      step({ do: 'apply' }),
      event('emit', 3, lateMs),
      step({ do: 'look', who: guest }),
    ];
  });

const days = fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 3 });
const hours = fc.constantFrom(
  { timeFrom: '06:00', timeTo: '20:00' },
  { timeFrom: '18:30', timeTo: '00:00' },
  { timeFrom: '20:00', timeTo: '04:30' },
);

/** The expressions, those with the progress twice: a wrong progress shows only if an event before has counted. */
const expressionTexts = Object.keys(expressions).flatMap((text) =>
  text.startsWith('mission.') ? [text, text] : [text],
) as ExpressionText[];

const hoursBefore = optional(fc.integer({ min: 0, max: 30 }), 2);
const hoursAfter = optional(fc.integer({ min: 1, max: 500 }), 2);

const controlGroup = optional(fc.subarray<Player>([...players]), 2);

const campaignFormula = optional(fc.constantFrom(...(Object.keys(accountFormulas) as AccountFormulaText[])), 4);

/** A condition whose value is a number. */
type NumberCondition = {
  [Name in keyof Conditions]-?: NonNullable<Conditions[Name]> extends number ? Name : never;
}[keyof Conditions];

const numbers = Object.fromEntries(
  Object.entries(samples).flatMap(([name, { random }]) =>
    random === 'none' ? [] : [[name, optional(fc.constantFrom(...random), 2)]],
  ),
) as Record<NumberCondition, fc.Arbitrary<number | undefined>>;

function mission(home: Home): fc.Arbitrary<Mission> {
  return fc
    .record({
      type: fc.constantFrom<Mission['type']>('MISSION', 'CHALLENGE', 'STREAK', 'ROUTINE'),
      target: fc.integer({ min: 1, max: 8 }),
      period: fc.constantFrom<PeriodUnit>('DAY', 'DAY', 'WEEK', 'MONTH'),
      perPeriodTarget: fc.integer({ min: 1, max: 5 }),
      gracePeriods: fc.integer({ min: 0, max: 2 }),
      isEndless: fc.boolean(),
      milestones: optional(fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }), 4),
      occurrences: optional(fc.integer({ min: 1, max: 3 }), 4),
      durationDays: fc.integer({ min: 1, max: 6 }),
      counts: optional(fc.constant('EVENTS' as const), 3),
      repeat: optional(fc.record({ max: optional(fc.integer({ min: 2, max: 4 }), 2) }), 2),
      conditions: fc.record<Conditions>({
        ...numbers,
        daysOfWeek: optional(days, 2),
        expression: optional(fc.constantFrom(...expressionTexts), 2),
        // A condition that is no number, and is missing here, does not compile.
      } satisfies Record<Exclude<keyof Conditions, keyof typeof numbers | 'timeFrom' | 'timeTo'>, unknown>),
      formula: optional(fc.constantFrom(...(Object.keys(formulas) as FormulaText[])), 2),
      hours: optional(hours, 2),
      isLocked: fc.boolean(),
    })
    .map((parts) => playable({ home, ...parts }));
}

type Parts = Mission & { readonly hours: { timeFrom: string; timeTo: string } | undefined };

/** Makes the fields of a mission valid: removes or raises the values that the administration API would refuse. */
function playable({ hours: open, ...parts }: Parts): Mission {
  const { type, home, target, perPeriodTarget = 1, period, conditions } = parts;
  const { maxPerPeriod: cap, daysOfWeek } = conditions;
  const [isStreak, isRoutine] = [type === 'STREAK', type === 'ROUTINE'];
  const isDailySeries = (isStreak || isRoutine) && period === 'DAY';
  const isNight = open !== undefined && open.timeTo !== '00:00' && open.timeTo < open.timeFrom;
  const goal = isStreak ? perPeriodTarget : isRoutine ? target : 0;
  const isOpenEnded = isRoutine && home === 'alone';
  return {
    ...parts,
    perPeriodTarget: isStreak ? perPeriodTarget : undefined,
    gracePeriods: isStreak ? parts.gracePeriods : undefined,
    isEndless: isStreak && home === 'alone' ? parts.isEndless : undefined,
    milestones:
      isStreak && home === 'alone'
        ? parts.milestones?.filter((length) => parts.isEndless || length <= target).toSorted((a, b) => a - b)
        : undefined,
    occurrences: isRoutine ? (parts.occurrences ?? (isOpenEnded ? undefined : 2)) : undefined,
    durationDays: type === 'CHALLENGE' ? parts.durationDays : undefined,
    repeat: isStreak || isRoutine ? undefined : withEnd(home, parts.repeat),
    formula: isStreak || isRoutine || hasMeaning(parts) ? parts.formula : undefined,
    conditions: {
      ...conditions,
      ...(isDailySeries && isNight && daysOfWeek ? {} : open),
      maxPerPeriod: cap === undefined ? undefined : Math.max(cap, goal),
    },
  };
}

/** Rounds that add up the amounts of several events have no amount by one of them. */
function hasMeaning({ repeat, counts, formula = '33 * 3.1' }: Mission): boolean {
  return repeat === undefined || counts === 'EVENTS' || !formula.includes('event.');
}

/** The campaign `open` has the mission that gives products, which needs an end of its rounds. */
function withEnd(home: Home, repeat: Mission['repeat']): Mission['repeat'] {
  return home === 'open' && repeat !== undefined ? { max: repeat.max ?? 9 } : repeat;
}

/** A complete game. */
export type Play = {
  readonly zone: string;
  readonly missions: readonly Mission[];
  /**
   * The hours between the start and the activation or creation; undefined for no start, so that the activation or creation is the start.
   */
  readonly startsHoursBefore: Readonly<Record<Home, number | undefined>>;
  /** The hours between the activation and the end of a campaign; undefined without an end. */
  readonly endsHoursAfter: Readonly<Record<Campaign, number | undefined>>;
  /** The points of completing a campaign; undefined for five. */
  readonly formulas: Readonly<Record<Campaign, AccountFormulaText | undefined>>;
  /** Whether the campaign `open` is for the accounts of tier GOLD instead of everyone. */
  readonly isOpenByRule: boolean;
  /** The players in the control group of each campaign, which holds half of the accounts back; undefined without one. */
  readonly heldBack: Readonly<Record<Campaign, readonly Player[] | undefined>>;
  readonly steps: readonly Step[];
};

/** A game without its steps. */
export type Game = Omit<Play, 'steps'>;

/** Games with about `length` steps. */
export function plays(length: number): fc.Arbitrary<Play> {
  return fc.record({
    zone: zones,
    missions: fc
      .tuple(
        fc.array(mission('open'), { minLength: 1, maxLength: 3 }),
        fc.array(mission('claimed'), { minLength: 1, maxLength: 2 }),
        fc.array(mission('alone'), { minLength: 1, maxLength: 1 }),
      )
      .map((homes) => homes.flat()),
    isOpenByRule: fc.boolean(),
    formulas: fc.record({ open: campaignFormula, claimed: campaignFormula }),
    endsHoursAfter: fc.record({ open: hoursAfter, claimed: hoursAfter }),
    startsHoursBefore: fc.record({ open: hoursBefore, claimed: hoursBefore, alone: hoursBefore }),
    heldBack: fc.record({ open: controlGroup, claimed: controlGroup }),
    steps: fc
      .tuple(
        visit,
        sequence(action, length),
        visit,
        promotion,
        sequence(fc.oneof({ weight: 9, arbitrary: action }, { weight: 1, arbitrary: ending }), length / 4),
      )
      .map((parts) => parts.flat()),
  });
}
