import { buttonView } from './base/button.ts';
import { type Child, h } from './base/dom.ts';
import type { Words } from './base/words.ts';
import type { Connection } from './connection/connection.ts';
import { namesOf, type NamedReward, rewardLine } from './feed.ts';

/** A campaign that waits for the account to claim its rewards. All of its missions are completed. */
export type Claim = {
  readonly campaignId: string;
  readonly name: string;
  readonly description: string;
  readonly rewards: readonly NamedReward[];
};

/** The answer to a claim. `pendingRewards` wait for stock. */
export type Claimed = { readonly rewards: readonly Earned[]; readonly pendingRewards?: readonly Earned[] };

type Earned = { readonly rewardId: string };

/** The campaigns that the account can claim now: the feed has no completed missions. */
export async function readClaims(connection: Connection): Promise<readonly Claim[]> {
  const { rows } = await connection.read<{ readonly rows: readonly Claim[] }>('/v1/accounts/me/claimable-campaigns');
  return rows;
}

/** A campaign with its rewards, and a button for a token that may claim it. @param busy the id of the one that is being claimed */
export function claimView(
  { campaignId, name, description, rewards }: Claim,
  { mayClaim, busy, onclick }: { mayClaim: boolean; busy: string | undefined; onclick: () => void },
  words: Words,
): Child {
  return h(
    'li',
    { part: 'mission claim', class: 'mission claim', key: campaignId },
    h(
      'div',
      {},
      h('strong', { part: 'name', id: `name-${campaignId}` }, h('bdi', {}, name)),
      description !== '' && h('p', { part: 'description', class: 'quiet' }, h('bdi', {}, description)),
      !mayClaim && h('p', { part: 'hint', class: 'quiet' }, words.text('missionClaimable')),
      rewardLine(rewards, words),
    ),
    mayClaim && buttonView(campaignId, { text: 'missionClaim', busy, onclick }, words),
  );
}

/** The words about a claim: the rewards that the account got, and those that follow. */
export function wordsOf(
  { name, rewards: offered }: Claim,
  { rewards, pendingRewards = [] }: Claimed,
  words: Words,
): string {
  return [
    rewards.length === 0
      ? words.text('missionDone', { campaign: name })
      : words.text('got', { name, rewards: namesOf(rewards, offered, words) }),
    ...(pendingRewards.length === 0
      ? []
      : [words.text('missionFollows', { rewards: namesOf(pendingRewards, offered, words) })]),
  ].join(' ');
}
