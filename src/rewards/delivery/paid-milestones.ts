/**
 * SQL for the campaigns: how often accounts of client `$1` were paid each reward of a milestone. A reward that waits for stock counts as
 * well, and one that was taken back.
 */
export const PAID_MILESTONES = `(select account_id, mission_id, milestone, reward_id, count(*)::int as paid
   from earned_reward where client_id = $1 and milestone is not null group by account_id, mission_id, milestone, reward_id)`;
