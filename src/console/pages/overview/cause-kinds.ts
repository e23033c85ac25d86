import {
  type Cause,
  type Cause_Kind as CauseKind,
  Cause_Kind,
} from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { anyFailure } from '../webhooks/delivery-outcomes.ts';
import { type EnumName, enumName } from '../../api/enum-name.ts';

/** The name of a cause. */
export type CauseKindName = EnumName<typeof Cause_Kind>;

/** The name of a kind that the service answered. @throws Error for a kind that this page does not know */
export function causeKindName(kind: CauseKind): CauseKindName {
  return enumName(Cause_Kind, kind);
}

/** The page for each kind of cause. */
export const pathOfCause: Readonly<Record<CauseKindName, (cause: Cause) => string>> = {
  WEBHOOK_FAILING: ({ subjectId, subject = '' }) => {
    const receiver: Record<string, string> = subjectId === undefined ? { type: subject } : { endpointId: subjectId };
    return `/webhooks?${new URLSearchParams({ ...receiver, outcome: anyFailure })}`;
  },
  REWARDS_WAITING: ({ subjectId }) => `/products/${subjectId}`,
  PRODUCT_LOW: ({ subjectId }) => `/products/${subjectId}`,
  DEAD_TRIGGERS: () => '/dead-triggers',
  CAMPAIGN_ENDING: ({ subjectId }) => `/campaigns/${subjectId}`,
  CAMPAIGN_SHORT: ({ subjectId }) => `/campaigns/${subjectId}`,
  CONDITION_LACKING: ({ subjectId, campaignId }) =>
    campaignId === undefined ? `/campaigns/missions/${subjectId}` : `/campaigns/${campaignId}`,
  PUBLICATION_PAUSED: ({ subjectId }) => `/publications/${subjectId}`,
  IMPORT_FAILED: ({ subjectId }) => `/imports/${subjectId}`,
  CALLS_REFUSED: ({ subject = '' }) => `/refused-calls?${new URLSearchParams({ operation: subject })}`,
  CLOSE_WAITING: ({ subjectId }) => `/leaderboards/${subjectId}`,
  EVENTS_OUTLIER: ({ subjectId }) => `/accounts/${subjectId}`,
  POINTS_OUTLIER: ({ subjectId }) => `/accounts/${subjectId}`,
  CLOCK_DOUBTED: () => '/',
};
