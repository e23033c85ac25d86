import type { AccountAttributeAdminService } from '../../../gen/laurel/admin/v1/account_attribute_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import { getAccountAttributes } from './get-account-attributes.ts';
import { updateAccountAttributes } from './update-account-attributes.ts';

/** The operations on the declared attributes of one client's accounts. Missions use them, so the module of missions has them. */
export const accountAttributeAdminService = {
  getAccountAttributes,
  updateAccountAttributes,
} satisfies Handlers<typeof AccountAttributeAdminService>;
