import { Permission } from '../../../../../gen/laurel/auth/v1/options_pb.ts';
import type { Making } from '../../../form/make-reference.tsx';
import { AudienceForm } from '../../audiences/audience-form.tsx';
import { EventForm } from '../../events/event-form.tsx';
import { RewardForm } from '../../rewards/reward-form.tsx';

/** Audiences, rewards and event definitions that are made where they are chosen, without leaving what is being written. */
export const newAudiences: Making = { needs: Permission.KEEP_AUDIENCES, form: AudienceForm };
export const newRewards: Making = { needs: Permission.KEEP_REWARDS, form: RewardForm };
export const newEvents: Making = { needs: Permission.KEEP_CAMPAIGNS, form: EventForm };
