import type { AlertAdminService } from '../../../gen/laurel/admin/v1/alert_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import type { AlertOptions } from './alert-options.ts';
import { getAlertSettings } from './get-alert-settings.ts';
import { putAlertSettings } from './put-alert-settings.ts';
import { testAlert } from './test-alert.ts';

/** The operations on a client's alert settings. */
export function alertAdminService(options: AlertOptions): Handlers<typeof AlertAdminService> {
  return {
    getAlertSettings: (call, request) => getAlertSettings(call, request, options),
    putAlertSettings: (call, request) => putAlertSettings(call, request, options),
    testAlert: (call, request) => testAlert(call, request, options),
  };
}
