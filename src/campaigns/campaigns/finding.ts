import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ActivationPreview_FindingSchema } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';

/** Something about a campaign that does not fit. */
export type Finding = MessageInitShape<typeof ActivationPreview_FindingSchema>;
