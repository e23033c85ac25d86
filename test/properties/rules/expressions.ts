/** The values of the attribute `category` of events. */
export type Category = 'tea' | 'coffee';

/** The values of the attribute `tier` of accounts. */
export type Tier = 'GOLD' | 'SILVER';

/**
 * The values on which expressions depend: the event, the hour in the account's zone, the tier and the audiences that the account has when
 * the event is applied, and the progress of the mission before it.
 */
export type Judged = {
  readonly amount: number;
  readonly category: Category | undefined;
  readonly hour: number;
  readonly tier: Tier | undefined;
  /** The names of MANUAL and EVERYONE audiences. */
  readonly audiences: ReadonlySet<string>;
  readonly progress: number;
};

/** The expressions of games, and what each means; undefined if it depends on a category or tier that is missing. */
export const expressions = {
  'event.category == "coffee"': ({ category }: Judged) => category && category === 'coffee',
  'event.category in ["tea", "coffee"] && event.amount > 2': ({ amount, category }: Judged) =>
    amount <= 2 ? false : category && true,
  'has(event.category) || event.amount >= 4': ({ amount, category }: Judged) => category !== undefined || amount >= 4,
  'event.amount * 2 - 1 > 4.5 && !(event.category == "tea")': ({ amount, category }: Judged) =>
    amount * 2 - 1 <= 4.5 ? false : category && category !== 'tea',
  'now.getHours() < 12 ? event.category == "tea" : event.amount < 5': ({ amount, category, hour }: Judged) =>
    hour < 12 ? category && category === 'tea' : amount < 5,
  'account.tier == "GOLD" || event.amount >= 5': ({ amount, tier }: Judged) =>
    amount >= 5 ? true : tier && tier === 'GOLD',
  'has(account.tier) && account.tier != "GOLD"': ({ tier }: Judged) => tier !== undefined && tier !== 'GOLD',
  'account.tier == "SILVER" ? event.amount > 2 : event.category == "tea"': ({ amount, category, tier }: Judged) =>
    tier && (tier === 'SILVER' ? amount > 2 : category && category === 'tea'),
  '"Some" in account.audiences || event.amount >= 4': ({ amount, audiences }: Judged) =>
    audiences.has('Some') || amount >= 4,
  '!("Gold" in account.audiences) && "Everyone" in account.audiences && event.amount > 1': ({
    amount,
    audiences,
  }: Judged) => !audiences.has('Gold') && audiences.has('Everyone') && amount > 1,
  'mission.progress < 2 || event.category == "coffee"': ({ category, progress }: Judged) =>
    progress < 2 ? true : category && category === 'coffee',
  'mission.progress * 2 <= event.amount': ({ amount, progress }: Judged) => progress * 2 <= amount,
};
export type ExpressionText = keyof typeof expressions;
