import {
  type Announcement,
  excusedPeriods,
  firstDay,
  following,
  latestDate,
  type Life,
  lifeUntil,
  momentOfDay,
  periodOf,
  type Stay,
  vacationDays,
} from '../../engine/naive-model.ts';
import {
  type Deed,
  type Gift,
  joinedParts,
  MOST,
  type Run,
  type Streak,
  type StreakRule,
  type Use,
} from './streak-parts.ts';

const DAY = 86_400_000;

/** The state of an account as its reads show it. */
export type Shown = {
  readonly points: number;
  readonly streaks: Readonly<Record<string, { readonly status: string } & Partial<Pick<Run, 'current' | 'longest'>>>>;
};

/** A naive account: it keeps events, gifts and announcements, and adds all of them up each time. */
export class StreakBook {
  readonly rules: readonly StreakRule[];
  readonly stays: Stay[];
  readonly announcements: Announcement[] = [];
  /** The days of vacations that merged accounts had begun. */
  away: string[] = [];
  readonly gifts: Gift[] = [];
  readonly streaks: Map<StreakRule, Streak>;
  /** Uses that stay whatever comes: they are older than what late events reach. */
  fixed: Use[] = [];

  constructor(rules: readonly StreakRule[], zone: string) {
    this.rules = rules.toSorted((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));
    this.stays = [{ from: -Infinity, zone }];
    this.streaks = new Map(
      this.rules.map((rule) => {
        return [
          rule,
          {
            hasBegun: false,
            base: undefined,
            parts: [],
            completedAt: undefined,
            milestone: 0,
            paid: new Map<number, number>(),
          },
        ];
      }),
    );
  }

  get points(): number {
    return [...this.streaks].reduce(
      (sum, [{ milestones }, { paid }]) =>
        milestones.reduce((all, { length, points }) => all + (paid.get(length) ?? 0) * points, sum),
      0,
    );
  }

  send(rule: StreakRule, at: number, amount: number, now: number): Deed {
    const streak = this.streaks.get(rule)!;
    const period = this.#period(rule, at, now);
    const sum = streak.parts.reduce((all, part) => all + (part.period === period ? part.amount : 0), 0);
    const counts = streak.completedAt === undefined && period >= (streak.base?.from ?? '') && sum < rule.goal;
    const part = counts ? { period, amount } : undefined;
    if (part) {
      streak.parts.push(part);
      streak.hasBegun = true;
      const { longest } = this.run(rule, now);
      if (longest >= (rule.target ?? Infinity)) streak.completedAt = now;
      this.#pay(rule, longest, now);
    }
    return { rule, at, left: amount, part };
  }

  reverse(deed: Deed, amount: number, now: number): void {
    const { rule, part } = deed;
    deed.left -= amount;
    const streak = this.streaks.get(rule)!;
    if (part === undefined || part.period < this.#oldest(rule, now) || part.period < (streak.base?.from ?? '')) return;
    // At most the present sum is taken: a merge by MAX keeps less than the sum of both.
    const sum = streak.parts.reduce((all, other) => all + (other.period === part.period ? other.amount : 0), 0);
    streak.parts.push({ period: part.period, amount: -Math.min(amount, sum) });
    const wasCompleted = streak.completedAt;
    streak.completedAt = undefined;
    const { longest } = this.run(rule, now);
    if (wasCompleted !== undefined && longest >= rule.target!) streak.completedAt = wasCompleted;
    const left = Math.max(0, ...rule.milestones.map(({ length }) => length).filter((length) => length <= longest));
    if (left >= streak.milestone) return;
    streak.milestone = left;
    for (const { length } of rule.milestones) {
      if (length <= left) continue;
      streak.paid.delete(length);
      const milestone = `${rule.id} ${length}`;
      const taken = Math.min(this.owned(now), this.#given(milestone));
      if (taken > 0) this.gifts.push({ at: now, count: -taken, milestone });
    }
  }

  give(count: number, now: number, most: number): boolean {
    if (this.owned(now) + count > most) return false;
    this.gifts.push({ at: now, count });
    return true;
  }

  /** @returns whether the run can be restored */
  restore(rule: StreakRule, length: number, now: number): boolean {
    const streak = this.streaks.get(rule)!;
    if (streak.completedAt !== undefined || length >= (rule.target ?? Infinity)) return false;
    const from = this.#period(rule, now, now);
    const sum = streak.parts.reduce((all, part) => all + (part.period === from ? part.amount : 0), 0);
    const longest = Math.max(length, this.run(rule, now).longest);
    this.#fix(now, [rule]);
    streak.hasBegun = true;
    streak.base = { from, current: length - Number(sum >= rule.goal), longest, graceLeft: rule.gracePeriods };
    return true;
  }

  /** Takes over what another account has. Both have had the same calendar. */
  merge(other: StreakBook, how: 'MAX' | 'SUM', now: number): void {
    const froms = this.rules.map((rule) => {
      const begins = [this, other].map(({ streaks }) => streaks.get(rule)!.base?.from ?? '');
      return [this.#oldest(rule, now), ...begins].toSorted().at(-1)!;
    });
    const bases = this.rules.map((rule, index) =>
      [this, other].map((each) => each.#runBefore(rule, froms[index]!, now)),
    );
    for (const each of [this, other]) each.#fix(now, this.rules);
    const ofBoth = this.rules.filter((rule) => this.streaks.get(rule)!.hasBegun && other.streaks.get(rule)!.hasBegun);
    for (const [index, rule] of this.rules.entries()) {
      const [own, theirs] = [this.streaks.get(rule)!, other.streaks.get(rule)!];
      const [one, two] = bases[index]!;
      const living = [one!, two!].filter(({ current }) => current > 0);
      own.base = {
        from: froms[index]!,
        current: Math.max(0, ...living.map(({ current }) => current)),
        longest: Math.max(one!.longest, two!.longest),
        graceLeft: Math.min(rule.gracePeriods, ...living.map(({ graceLeft }) => graceLeft)),
      };
      own.parts = joinedParts(own.parts, theirs.parts, how).filter(({ period }) => period >= froms[index]!);
      own.hasBegun ||= theirs.hasBegun;
      own.milestone = Math.max(own.milestone, theirs.milestone);
      for (const [length, times] of theirs.paid) own.paid.set(length, (own.paid.get(length) ?? 0) + times);
    }
    const today = latestDate(this.#life(now), now).toString();
    const days = [...new Set([this, other].flatMap((each) => [...vacationDays(each.#life(now)), ...each.away]))];
    this.away = days.filter((day) => day <= today);
    this.announcements.push({ at: now, dates: days.filter((day) => day > today) });
    this.gifts.push(...other.gifts);
    // A period that both have bridged has cost two freezes.
    this.fixed = [...this.fixed, ...other.fixed];
    // A restored run that only one of both has pays at its next event.
    for (const rule of ofBoth) this.#pay(rule, this.run(rule, now).longest, now);
  }

  move(zone: string, now: number): void {
    this.stays.push({ from: now, zone });
  }

  /** Announces days from tomorrow on: the first of them, and the number. */
  announce(ahead: number, days: number, now: number): { since: string; until: string } {
    const today = latestDate(this.#life(now), now);
    const dates = Array.from({ length: days }, (_, index) => today.add({ days: ahead + index }).toString());
    this.announcements.push({ at: now, dates });
    return { since: dates[0]!, until: today.add({ days: ahead + days }).toString() };
  }

  owned(now: number): number {
    return this.#ownedBy(now, this.uses(now));
  }

  shown(now: number): Shown {
    const streaks = this.rules.map((rule) => {
      if (this.streaks.get(rule)!.completedAt !== undefined) return [rule.id, { status: 'COMPLETED' }];
      const { current, longest } = this.run(rule, now);
      return [rule.id, { status: 'ACTIVE', current, longest }];
    });
    return { points: this.points, streaks: Object.fromEntries(streaks) };
  }

  /** The first beginning of a period at which a read shows no run; undefined without one. */
  keepUntil(rule: StreakRule, now: number): string | undefined {
    if (this.streaks.get(rule)!.completedAt !== undefined || this.run(rule, now).current === 0) return undefined;
    let day = Temporal.PlainDate.from(this.#period(rule, now, now));
    for (;;) {
      day = following(rule.period, day);
      const begin = momentOfDay(this.#life(now), day);
      if (this.run(rule, begin).current === 0) return new Date(begin).toISOString().replace('.000', '');
    }
  }

  run(rule: StreakRule, now: number): Run {
    return this.#walk(rule, now, this.#bridged(rule, this.uses(now))).run;
  }

  /**
   * The freezes that are used by an instant: again and again, the first missed period that would end a run gets one, if the account then
   * never owns less than none.
   */
  uses(now: number): readonly Use[] {
    const uses = [...this.fixed];
    const refused: Use[] = [];
    for (;;) {
      const answered = new Set([...uses, ...refused].map(({ rule, period }) => `${rule.id} ${period}`));
      const losses = this.rules.flatMap((rule) =>
        this.#walk(rule, now, this.#bridged(rule, uses))
          .losses.filter((period) => !answered.has(`${rule.id} ${period}`))
          .slice(0, 1)
          .map((period): Use => {
            const life = this.#life(now);
            return { rule, period, at: momentOfDay(life, following(rule.period, Temporal.PlainDate.from(period))) };
          }),
      );
      // The order of the rules is that of positions and ids, and the sorting keeps it.
      const [next] = losses.toSorted((one, other) => one.at - other.at);
      if (next === undefined) return uses;
      const instants = [next.at, ...[...this.gifts, ...uses].map(({ at }) => at).filter((at) => at > next.at)];
      const before = this.gifts.reduce((sum, { at, count }) => sum + (at < next.at ? count : 0), 0);
      const free = Math.min(
        before - uses.filter(({ at }) => at <= next.at).length,
        ...instants.map((at) => this.#ownedBy(at, uses)),
      );
      (free > 0 ? uses : refused).push(next);
    }
  }

  #ownedBy(now: number, uses: readonly Use[]): number {
    const got = this.gifts.reduce((sum, { at, count }) => sum + (at <= now ? count : 0), 0);
    return got - uses.filter(({ at }) => at <= now).length;
  }

  #given(milestone: string): number {
    return this.gifts.reduce((sum, gift) => sum + (gift.milestone === milestone ? gift.count : 0), 0);
  }

  #pay(rule: StreakRule, longest: number, now: number): void {
    const streak = this.streaks.get(rule)!;
    for (const { length, freezes } of rule.milestones) {
      if (length <= streak.milestone || length > longest) continue;
      streak.milestone = length;
      streak.paid.set(length, (streak.paid.get(length) ?? 0) + 1);
      const milestone = `${rule.id} ${length}`;
      const count = Math.min(freezes - this.#given(milestone), MOST - this.owned(now));
      if (count > 0) this.gifts.push({ at: now, count, milestone });
    }
  }

  /** Keeps the uses of some streaks that are older than what late events reach. */
  #fix(now: number, rules: readonly StreakRule[]): void {
    const isOver = ({ rule, period }: Use) => rules.includes(rule) && period < this.#oldest(rule, now);
    this.fixed = [...new Set([...this.fixed, ...this.uses(now).filter(isOver)])];
  }

  #life(now: number): Life {
    return lifeUntil({ stays: this.stays, pauses: [], announcements: this.announcements }, now);
  }

  #period({ period }: StreakRule, at: number, now: number): string {
    return periodOf(period, this.#life(now), at).toString();
  }

  /** The oldest period that late events and reversals reach. */
  #oldest(rule: StreakRule, now: number): string {
    return this.#period(rule, now - 2 * DAY, now);
  }

  #bridged(rule: StreakRule, uses: readonly Use[]): Set<string> {
    return new Set(uses.flatMap((use) => (use.rule === rule ? [use.period] : [])));
  }

  #runBefore(rule: StreakRule, from: string, now: number): Run {
    return this.#walk(rule, now, this.#bridged(rule, this.uses(now)), from).run;
  }

  /** Walks from the first period to the present one. @param until the first period that is not judged */
  #walk(rule: StreakRule, now: number, bridged: ReadonlySet<string>, until?: string) {
    const { base, parts, completedAt } = this.streaks.get(rule)!;
    const { goal, gracePeriods, period: unit } = rule;
    const life = this.#life(now);
    const sums = new Map<string, number>();
    for (const { period, amount } of parts) sums.set(period, (sums.get(period) ?? 0) + amount);
    const isKept = (period: string) => (sums.get(period) ?? 0) >= goal;
    const present = periodOf(unit, life, now).toString();
    const kept = [...sums.keys()].filter(isKept);
    // A completed streak has nothing to lose after its last kept period.
    const last = [...kept, ...(completedAt === undefined ? [present] : [])].toSorted().at(-1) ?? present;
    const away = this.away.map((day) => firstDay(unit, Temporal.PlainDate.from(day)).toString());
    const excused = excusedPeriods(unit, life, now).union(bridged).union(new Set(away));
    const losses: string[] = [];
    let { current, longest, graceLeft } = base ?? { current: 0, longest: 0, graceLeft: gracePeriods };
    const first = base?.from ?? [...kept, present].toSorted()[0]!;
    for (let day = Temporal.PlainDate.from(first); day.toString() <= last; day = following(unit, day)) {
      const period = day.toString();
      if (until !== undefined && period >= until) break;
      if (isKept(period)) {
        current += 1;
        longest = Math.max(longest, current);
      } else if (current === 0 || period >= present || excused.has(period)) continue;
      else if (graceLeft > 0) graceLeft -= 1;
      else {
        losses.push(period);
        [current, graceLeft] = [0, gracePeriods];
      }
    }
    return { run: { current, longest, graceLeft }, losses };
  }
}
