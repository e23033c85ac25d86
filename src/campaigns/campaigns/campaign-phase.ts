import type { MessageInitShape } from '@bufbuild/protobuf';
import { CampaignPhase_Value, type CampaignSchema } from '../../../gen/laurel/v1/campaign_pb.ts';
import type { CampaignEntity } from './campaign.entity.ts';

/** The phases, in the order of a campaign's life. */
export const CAMPAIGN_PHASES = ['DRAFT', 'SCHEDULED', 'ACTIVE', 'PAUSED', 'FINISHED'] as const;

/** The phase of a campaign for accounts: its status together with its dates. */
export type CampaignPhase = (typeof CAMPAIGN_PHASES)[number];

/** The fields that determine a phase. */
type Course = Pick<CampaignEntity, 'status' | 'startsAt' | 'endsAt'>;

/** The phase of a campaign at `now`. The same rule in SQL is `phaseSql`. */
export function campaignPhase({ status, startsAt, endsAt }: Course, now: Date): CampaignPhase {
  if (status === 'DRAFT') return 'DRAFT';
  if (status === 'ENDED' || (endsAt && endsAt <= now)) return 'FINISHED';
  if (status === 'PAUSED') return 'PAUSED';
  return startsAt && startsAt > now ? 'SCHEDULED' : 'ACTIVE';
}

/** Milliseconds by which the clocks of hosts may differ: a fast host applies events before the start of a campaign. */
const CLOCKS_DIFFER_MS = 60_000;

/** Whether accounts may have made progress in a campaign by `now`. An active campaign with a later start has not begun. */
export function hasBegun(campaign: Course & Pick<CampaignEntity, 'activatedAt'>, now: Date): boolean {
  if (campaign.activatedAt === null) return false;
  return campaignPhase(campaign, new Date(now.getTime() + CLOCKS_DIFFER_MS)) !== 'SCHEDULED';
}

/** SQL for the phase of a row of `campaign` at the start of the transaction, of type text. */
export const phaseSql = `(case
  when status = 'DRAFT' then 'DRAFT'
  when status = 'ENDED' or ends_at <= now() then 'FINISHED'
  when status = 'PAUSED' then 'PAUSED'
  when starts_at > now() then 'SCHEDULED'
  else 'ACTIVE' end)`;

/** A campaign with its phase at `now`, for answers only: in the audit log the phase would look like a change by an operator. */
export function withPhase<Message extends MessageInitShape<typeof CampaignSchema>>(
  message: Message,
  course: Course,
  now: Date,
): Message {
  return { ...message, phase: CampaignPhase_Value[campaignPhase(course, now)] };
}
