import { expect } from 'vitest';
import type { Rest, RestAnswer } from '../../support/service.ts';
import { settled } from '../../support/settled.ts';
import { type CorrectedGame, PIECES, POINTS } from './corrected-game.ts';

type Json = RestAnswer['body'];

/** An event that was answered: what is left of it, and the missions that counted it. */
type Sent = {
  readonly name: string;
  readonly operationId: string;
  left: number;
  readonly counted: ReadonlySet<string>;
  /** Whether a merge by MAX came since: then it is part of the {@link Sums} of its account. */
  isMerged: boolean;
};

/** The sums of an account in missions after a merge by MAX, of the events before it. */
type Sums = ReadonlyMap<string, number>;

/** The sums that calls by one name gave, took and cost. */
type Ledger = { points: number; pieces: number; mugs: number; spent: number; byMission: Map<string, number> };

/** A merge that may be undone: the account that went, its names, and the survivor. */
type Merge = {
  readonly id: string;
  readonly from: string;
  readonly names: readonly string[];
  readonly into: string;
  /** The sums of both before it, and the events that are part of those since. */
  readonly sums: readonly [from: Sums | undefined, into: Sums | undefined];
  readonly events: readonly Sent[];
};

/** The numbers of calls of each kind, over all households. */
export type Seen = Record<string, number>;

export type HouseholdOptions = {
  readonly game: CorrectedGame;
  /** The hosts; each call goes to one of them, or to all at once. */
  readonly rests: readonly Rest[];
  readonly name: string;
  readonly random: () => number;
  readonly seen: Seen;
};

const DAY_MS = 86_400_000;
const NAMES = 4;

/**
 * A naive account book of people whose accounts become one, part, and are erased. Each step sends a few calls at the same time. Effects that
 * depend on their order are taken from the answers: the missions that counted an event, what was paid and taken. Everything else is added up.
 */
export class Household {
  readonly #options: HouseholdOptions;
  /** The account that each name reaches, by its first name. */
  readonly #reaches = new Map<string, string>();
  #sent: Sent[] = [];
  #purchases: { readonly id: string; readonly name: string; readonly cost: number }[] = [];
  #merges: Merge[] = [];
  /** By the account. */
  readonly #sums = new Map<string, Sums>();
  /** Whether an event before a merge by MAX may be taken back now: only one at a time, and while no account changes. */
  #mayTakeMerged = true;
  readonly #ledgers = new Map<string, Ledger>();
  readonly #erased: Sent[] = [];
  /** All calls with their answers, which explain a difference. */
  readonly #history: string[] = [];
  #numbers = 0;

  constructor(options: HouseholdOptions) {
    this.#options = options;
  }

  /** Sends one to four calls at the same time, at most one of which changes who is who. */
  async step(): Promise<void> {
    while (this.#reaches.size < NAMES) await this.#move(`${this.#options.name}-${(this.#numbers += 1)}`);
    if (this.#draw(25) === 0) return this.#erase();
    if (this.#draw(16) === 0) return this.#mergeAndPart();
    // Alone, because the larger sum depends on what came before.
    if (this.#draw(20) === 0) return void (await this.#merge('MAX'));
    const change = this.#draw(8);
    this.#mayTakeMerged = change > 1;
    const calls: Promise<unknown>[] = Array.from({ length: 1 + this.#draw(3) }, () => this.#one());
    if (change === 0) calls.push(this.#merge());
    if (change === 1) calls.push(this.#undo());
    await Promise.all(calls);
  }

  #one(): Promise<void> {
    const what = this.#draw(20);
    if (what < 8) return this.#emit();
    if (what < 9) return this.#emitBatch();
    if (what < 14) return this.#reverse();
    if (what < 15) return this.#backfill();
    if (what < 17) return this.#buy();
    if (what < 18) return this.#refund();
    return this.#claim();
  }

  async #move(name: string): Promise<void> {
    await this.#call('resolve', 'POST', '/accounts/resolve', { externalId: name });
    this.#reaches.set(name, name);
    this.#ledgers.set(name, { points: 0, pieces: 0, mugs: 0, spent: 0, byMission: new Map() });
  }

  async #emit(): Promise<void> {
    const { name, trigger } = this.#trigger();
    const { body } = await this.#call('emit', 'POST', '/gamification/triggers', trigger);
    this.#note(name, trigger, body);
  }

  async #emitBatch(): Promise<void> {
    const drafts = [this.#trigger(), this.#trigger(), this.#trigger()];
    const triggers = drafts.map(({ trigger }) => trigger);
    const { body } = await this.#call('batch', 'POST', '/gamification/triggers/batch', { triggers });
    for (const [index, { name, trigger }] of drafts.entries()) this.#note(name, trigger, resultAt(body, index));
  }

  async #backfill(): Promise<void> {
    const drafts = [this.#trigger(2 + this.#draw(20)), this.#trigger(2 + this.#draw(20))];
    const triggers = drafts.map(({ trigger }) => trigger);
    const call = { rewards: 'ALL', triggers };
    const { body } = await this.#call('backfill', 'POST', '/gamification/triggers/backfill', call);
    for (const [index, { name, trigger }] of drafts.entries()) this.#note(name, trigger, resultAt(body, index));
  }

  /** An event of someone, now or some days ago. */
  #trigger(daysAgo = 0) {
    const name = this.#oneOf([...this.#reaches.keys()]);
    const amount = 1 + this.#draw(30);
    const operationId = this.#operationId();
    const occurredAt = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
    const own = { programmaticCode: this.#options.game.code, accountId: name, idType: 'EXTERNAL', operationId };
    return { name, trigger: { ...own, metadata: { amount }, ...(daysAgo > 0 && { occurredAt }) } };
  }

  #note(name: string, { operationId, metadata }: { operationId: string; metadata: { amount: number } }, body: Json) {
    const counted = new Set((body.progressedMissions as Json[]).map(({ missionId }) => missionId as string));
    this.#sent.push({ name, operationId, left: metadata.amount, counted, isMerged: false });
    this.#pay(name, body);
  }

  async #reverse(): Promise<void> {
    const open = this.#sent.filter((event) => event.left > 0 && (!event.isMerged || this.#isCovered(event)));
    if (open.length === 0) return;
    const event = this.#oneOf(open);
    if (event.isMerged) this.#mayTakeMerged = false;
    const amount = this.#draw(2) === 0 ? undefined : 1 + this.#draw(event.left);
    const { code: programmaticCode } = this.#options.game;
    const named = { programmaticCode, triggerOperationId: event.operationId, operationId: this.#operationId() };
    const path = '/gamification/triggers/reversals';
    const { status, body } = await this.#call('reverse', 'POST', path, { ...named, amount }, ['REVERSAL_TOO_LARGE']);
    if (status !== 200) return;
    event.left -= body.amount;
    expect(event.left).toBeGreaterThanOrEqual(0);
    if (event.isMerged) this.#lower(event, body.amount);
    for (const { rewardType, missionId, amountReversed } of body.rewards)
      this.#book(event.name, rewardType, missionId, -amountReversed);
  }

  /**
   * Whether an event before a merge by MAX can be taken back whole and no sum falls below 0. A sum that is cut at 0 would depend on the order
   * of calls.
   */
  #isCovered({ name, left, counted }: Sent): boolean {
    const sums = this.#sums.get(this.#reaches.get(name)!)!;
    return this.#mayTakeMerged && [...counted].every((id) => (sums.get(id) ?? 0) >= left);
  }

  #lower({ name, counted }: Sent, amount: number): void {
    const account = this.#reaches.get(name)!;
    const sums = this.#sums.get(account)!;
    this.#sums.set(account, new Map([...sums].map(([id, sum]) => [id, counted.has(id) ? sum - amount : sum])));
  }

  /** The sum of an account in a mission. */
  #sumOf(account: string, missionId: string): number {
    return this.#sent
      .filter(
        ({ name, counted, isMerged }) => this.#reaches.get(name) === account && counted.has(missionId) && !isMerged,
      )
      .reduce((all, { left }) => all + left, this.#sums.get(account)?.get(missionId) ?? 0);
  }

  async #buy(): Promise<void> {
    const name = this.#oneOf([...this.#reaches.keys()]);
    const path = `/loyalty/products/${this.#options.game.mugId}/redeem`;
    const { status, body } = await this.#call('buy', 'POST', path, this.#own(name), [
      'INSUFFICIENT_POINTS',
      'OUT_OF_STOCK',
    ]);
    if (status !== 200) return;
    this.#purchases.push({ id: body.id, name, cost: body.pointsSpent });
    this.#ledgers.get(name)!.spent += body.pointsSpent;
    this.#ledgers.get(name)!.mugs += 1;
  }

  async #refund(): Promise<void> {
    const [purchase] = this.#purchases.splice(this.#draw(Math.max(1, this.#purchases.length)), 1);
    if (purchase === undefined) return;
    const { id, name, cost } = purchase;
    const why = { reason: 'Broken', operationId: this.#operationId() };
    await this.#call('refund', 'POST', `/admin/redemptions/${id}/cancel`, why);
    this.#ledgers.get(name)!.spent -= cost;
    this.#ledgers.get(name)!.mugs -= 1;
  }

  async #claim(): Promise<void> {
    const name = this.#oneOf([...this.#reaches.keys()]);
    const path = `/gamification/campaigns/${this.#options.game.claimableId}/claim`;
    const refusals = ['CAMPAIGN_NOT_COMPLETED', 'CAMPAIGN_ALREADY_CLAIMED'];
    const { status, body } = await this.#call('claim', 'POST', path, this.#own(name), refusals);
    if (status === 200) this.#pay(name, body);
  }

  /** The account parts at once, unless the merge has paid, or a reward that waited is delivered in between. */
  async #mergeAndPart(): Promise<void> {
    const merge = await this.#merge(this.#draw(2) === 0 ? 'MAX' : 'SUM');
    if (merge === undefined) return;
    if (await this.#undo()) expect(merge.undoable).toBe(true);
  }

  /** @returns the answer, if two accounts became one */
  async #merge(progress: 'MAX' | 'SUM' = 'SUM'): Promise<{ readonly undoable: boolean } | undefined> {
    const [name, into] = [this.#oneOf([...this.#reaches.keys()]), this.#oneOf([...this.#reaches.keys()])];
    const [from, survivor] = [this.#reaches.get(name)!, this.#reaches.get(into)!];
    if (from === survivor) return undefined;
    const call = { intoAccountId: into, idType: 'EXTERNAL', progress, operationId: this.#operationId() };
    const what = progress === 'MAX' ? 'merge by MAX' : 'merge';
    const { body } = await this.#call(what, 'POST', `/accounts/${name}/merge`, call);
    const names = [...this.#reaches.keys()].filter((each) => this.#reaches.get(each) === from);
    const both = this.#combine(from, survivor, progress);
    for (const each of names) this.#reaches.set(each, survivor);
    this.#merges.push({ id: body.mergeId, from, names, into: survivor, ...both });
    this.#pay(survivor, body);
    return body;
  }

  /** Combines the sums of two accounts. @returns what an undo needs */
  #combine(from: string, into: string, progress: 'MAX' | 'SUM'): Pick<Merge, 'sums' | 'events'> {
    const sums = [this.#sums.get(from), this.#sums.get(into)] as const;
    const each = (of: (id: string) => number): Sums =>
      new Map(this.#options.game.missions.map(({ id }) => [id, of(id)]));
    if (progress === 'SUM') {
      const [theirs, own] = sums;
      if (theirs || own)
        this.#sums.set(
          into,
          each((id) => (theirs?.get(id) ?? 0) + (own?.get(id) ?? 0)),
        );
      this.#sums.delete(from);
      return { sums, events: [] };
    }
    const largest = each((id) => Math.max(this.#sumOf(from, id), this.#sumOf(into, id)));
    const events = this.#sent.filter(
      ({ name, isMerged }) => [from, into].includes(this.#reaches.get(name)!) && !isMerged,
    );
    for (const event of events) event.isMerged = true;
    this.#sums.set(into, largest);
    this.#sums.delete(from);
    return { sums, events };
  }

  /** @returns whether the latest merge was undone */
  async #undo(): Promise<boolean> {
    const merge = this.#merges.pop();
    if (merge === undefined) return false;
    const { id, from, names, into } = merge;
    const call = { idType: 'EXTERNAL', operationId: this.#operationId() };
    const path = `/accounts/${into}/merges/${id}/undo`;
    const { status } = await this.#call('undo', 'POST', path, call, ['MERGE_NOT_UNDOABLE']);
    // Earlier merges cannot be undone while this one stands.
    if (status !== 200) this.#merges = [];
    else {
      for (const each of names) this.#reaches.set(each, from);
      for (const [account, sums] of [
        [from, merge.sums[0]],
        [into, merge.sums[1]],
      ] as const)
        if (sums) this.#sums.set(account, sums);
        else this.#sums.delete(account);
      for (const event of merge.events) event.isMerged = false;
    }
    return status === 200;
  }

  /** Erases one account with all of its names. No event of it can be taken back. */
  async #erase(): Promise<void> {
    const name = this.#oneOf([...this.#reaches.keys()]);
    const account = this.#reaches.get(name);
    await this.#call('erase', 'POST', `/accounts/${name}/erase?idType=EXTERNAL`);
    const names = new Set([...this.#reaches.keys()].filter((each) => this.#reaches.get(each) === account));
    for (const each of names) this.#reaches.delete(each);
    this.#sums.delete(account!);
    this.#erased.push(...this.#sent.filter((each) => names.has(each.name) && each.left > 0));
    this.#sent = this.#sent.filter((each) => !names.has(each.name));
    this.#purchases = this.#purchases.filter((each) => !names.has(each.name));
    this.#merges = [];
  }

  /** Compares each account with the book. `isEnd` says that no reward waits for stock any more. */
  async check(isEnd: boolean): Promise<void> {
    try {
      await this.#checkAll(isEnd);
    } catch (error) {
      throw new Error(`${(error as Error).message}\nThe calls so far:\n${this.#history.join('\n')}`, { cause: error });
    }
  }

  async #checkAll(isEnd: boolean): Promise<void> {
    for (const account of new Set(this.#reaches.values())) {
      const names = new Set([...this.#reaches.keys()].filter((name) => this.#reaches.get(name) === account));
      await this.#checkAccount(account, names, isEnd);
    }
    for (const { operationId: triggerOperationId } of isEnd ? this.#erased.slice(-3) : []) {
      const named = { programmaticCode: this.#options.game.code, triggerOperationId };
      const refusals = ['ACCOUNT_NOT_FOUND', 'REVERSAL_TOO_OLD'];
      const { status } = await this.#call('erased', 'POST', '/gamification/triggers/reversals', named, refusals);
      expect(status).toBeGreaterThanOrEqual(400);
    }
  }

  async #checkAccount(account: string, names: ReadonlySet<string>, isEnd: boolean): Promise<void> {
    // Any of the names reaches the account.
    const query = `${this.#oneOf([...names])}?idType=EXTERNAL`;
    const get = async (path: string): Promise<Json> => (await this.#oneOf(this.#options.rests)('GET', path)).body;
    const [open, completed, balance] = await Promise.all([
      get(`/v1/gamification/missions/progress/${query}`),
      get(`/v1/gamification/missions/completed/${query}`),
      get(`/loyalty/accounts/${query.replace('?', '/points?')}`),
    ]);
    const shown = new Map([...open, ...completed].map((mission: Json) => [mission.missionId, mission]));
    const ledgers = [...names].map((name) => this.#ledgers.get(name)!);
    const total = (of: (ledger: Ledger) => number) => ledgers.reduce((sum, ledger) => sum + of(ledger), 0);
    for (const { id, target, max } of this.#options.game.missions) {
      const sum = this.#sumOf(account, id);
      const rounds = Math.min(Math.floor(sum / target), max);
      const { progress = 0, completions = 0, status = 'ACTIVE' } = shown.get(id) ?? {};
      const expected =
        rounds === max
          ? { progress: target, status: 'COMPLETED' }
          : { progress: sum - rounds * target, status: 'ACTIVE' };
      expect({ progress, status }, `mission ${id} of ${query}`).toEqual(expected);
      if (!this.#options.game.endless.has(id)) continue;
      expect(completions).toBe(rounds);
      const paid = total(({ byMission }) => byMission.get(id) ?? 0);
      // After a merge by MAX, a round may have been paid to both.
      if (this.#sums.has(account)) expect(paid).toBeGreaterThanOrEqual(rounds * POINTS);
      else expect(paid).toBe(rounds * POINTS);
    }
    const { available, debt = 0 } = balance;
    expect(available, query).toBeGreaterThanOrEqual(0);
    expect(available - debt, query).toBe(total(({ points, spent }) => points - spent));
    if (!isEnd) return;
    const [redemptions, fragments] = await Promise.all([
      get(`/redemptions/${query}`),
      get(`/gamification/fragments/account/${query}`),
    ]);
    const unitsOf = (productId: string) =>
      (redemptions as Json[])
        .filter(({ product, status }) => product.id === productId && status !== 'CANCELLED')
        .reduce((sum, { quantity }) => sum + quantity, 0);
    const { mugId, puzzleId } = this.#options.game;
    expect(unitsOf(mugId), `mugs of ${query}`).toBe(total(({ mugs }) => mugs));
    const held = (fragments as Json[]).find(({ productId }) => productId === puzzleId)?.['pieces'] ?? 0;
    expect(held + PIECES * unitsOf(puzzleId), `pieces of ${query}`).toBe(total(({ pieces }) => pieces));
  }

  /** Books the rewards of an answer, also those that wait. */
  #pay(name: string, { rewards, pendingRewards = [] }: Json): void {
    for (const { rewardType, missionId, amount } of [...rewards, ...pendingRewards])
      this.#book(name, rewardType, missionId, amount);
  }

  #book(name: string, rewardType: string, missionId: string | null | undefined, amount: number): void {
    const ledger = this.#ledgers.get(name)!;
    if (rewardType === 'POINTS') ledger.points += amount;
    if (rewardType === 'FRAGMENTS') ledger.pieces += amount;
    if (rewardType === 'PRODUCTS') ledger.mugs += amount;
    if (missionId) ledger.byMission.set(missionId, (ledger.byMission.get(missionId) ?? 0) + amount);
  }

  /** Sends a call to one host, or to all of them at once: it takes effect once. The codes of `refusals` are possible. */
  async #call(
    what: string,
    method: string,
    path: string,
    body?: Json,
    refusals: readonly string[] = [],
  ): Promise<RestAnswer> {
    const { rests, seen } = this.#options;
    seen[what] = (seen[what] ?? 0) + 1;
    const hosts = body?.operationId !== undefined && this.#draw(4) === 0 ? rests : [this.#oneOf(rests)];
    const answers = await Promise.all(hosts.map((rest) => settled(() => rest(method, path, body))));
    for (const answer of answers)
      if (answer.status >= 300)
        expect(refusals, `${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`).toContain(answer.body.code);
    const [first, ...others] = answers.filter(({ status }) => status < 300);
    for (const other of others) expect(other.body).toEqual(first!.body);
    const answer = first ?? answers[0]!;
    if (first === undefined) seen[`${what} refused`] = (seen[`${what} refused`] ?? 0) + 1;
    this.#history.push(`${path} ${JSON.stringify(body)}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  #own = (name: string) => ({ accountId: name, idType: 'EXTERNAL', operationId: this.#operationId() });
  #operationId = () => `${this.#options.name} ${(this.#numbers += 1)}`;
  #draw = (below: number) => Math.floor(this.#options.random() * below);
  #oneOf = <T>(things: readonly T[]): T => things[this.#draw(things.length)]!;
}

/** The result of one event of a batch, which must have no error. */
function resultAt({ results }: Json, index: number): Json {
  expect(results[index]).not.toHaveProperty('error');
  return results[index].result;
}
