import { type Child, h } from './base/dom.ts';
import { LaurelElement } from './base/element.ts';
import type { Words } from './base/words.ts';
import type { Connection } from './connection/connection.ts';

type Points = {
  readonly available: number;
  readonly pending: number;
  readonly nextExpiration?: { readonly amount: number; readonly at: string };
  readonly debt?: number;
};

/** `<laurel-points>`: the points that the account can spend, those that wait or expire next, and its debt. */
export class LaurelPoints extends LaurelElement<Points> {
  protected readonly kinds = ['POINTS_CHANGED', 'REWARD_EARNED', 'REWARDS_DELIVERED', 'REWARDS_REVERSED'];
  protected readonly heading = 'pointsTitle';

  protected load(connection: Connection): Promise<Points> {
    return connection.read<Points>('/loyalty/accounts/me/points');
  }

  protected view({ available, pending, nextExpiration, debt = 0 }: Points, words: Words): readonly Child[] {
    return [
      h(
        'p',
        { part: 'value', class: 'figure', 'aria-live': 'polite', 'aria-atomic': 'true' },
        words.number(available),
        h('small', {}, ` ${words.text('points', { count: available })}`),
      ),
      pending > 0 && h('p', { part: 'pending', class: 'quiet' }, words.text('pointsPending', { count: pending })),
      nextExpiration &&
        h(
          'p',
          { part: 'expiration', class: 'quiet' },
          words.text('pointsExpire', { count: nextExpiration.amount, date: words.day(nextExpiration.at) }),
        ),
      debt > 0 && h('p', { part: 'debt', class: 'quiet' }, words.text('pointsDebt', { count: debt })),
    ];
  }
}
