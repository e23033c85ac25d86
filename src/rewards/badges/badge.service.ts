import type { BadgeService } from '../../../gen/laurel/v1/badge_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { listAccountBadges } from './list-account-badges.ts';

/** The reads of badges. */
export const badgeService = { listAccountBadges } satisfies Handlers<typeof BadgeService>;
