import { Permission } from '../../../../../gen/laurel/auth/v1/options_pb.ts';
import type { InlineCreate } from '../../../form/inline-create.tsx';
import { AudienceForm } from '../../audiences/audience-form.tsx';
import { EventForm } from '../../events/event-form.tsx';
import { RewardForm } from '../../rewards/reward-form.tsx';

/** The forms that create audiences, rewards and event definitions inside the editor. */
export const newAudiences: InlineCreate = { needs: Permission.KEEP_AUDIENCES, form: AudienceForm };
export const newRewards: InlineCreate = { needs: Permission.KEEP_REWARDS, form: RewardForm };
export const newEvents: InlineCreate = { needs: Permission.KEEP_CAMPAIGNS, form: EventForm };
