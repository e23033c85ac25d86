import { WebhookType } from '../../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import {
  WebhookConfiguration_Method as Method,
  WebhookConfiguration_SendWhen as SendWhen,
} from '../../../../gen/laurel/v1/webhook_pb.ts';
import { WebhookService } from '../../../../gen/laurel/v1/webhook_service_pb.ts';
import { enumName } from '../../api/enum-name.ts';

/** The webhooks of a client. */
export const webhookTypes = ['REWARDS', 'PUBLICATION_STATUS', 'MISSION_COMPLETED', 'STOCK_LOW'] as const;

/** The name of one of them. */
export type WebhookTypeName = (typeof webhookTypes)[number];

const { method } = WebhookService;

const rewards = {
  get: method.getRewardsWebhook,
  put: method.putRewardsWebhook,
  test: method.testRewardsWebhook,
  remove: method.deleteRewardsWebhook,
};

/** The operations on each webhook. The requests and answers of all have the same fields, so one form serves all. */
export const webhookMethods: Record<WebhookTypeName, typeof rewards> = {
  REWARDS: rewards,
  PUBLICATION_STATUS: {
    get: method.getPublicationStatusWebhook,
    put: method.putPublicationStatusWebhook,
    test: method.testPublicationStatusWebhook,
    remove: method.deletePublicationStatusWebhook,
  } as unknown as typeof rewards,
  MISSION_COMPLETED: {
    get: method.getMissionCompletedWebhook,
    put: method.putMissionCompletedWebhook,
    test: method.testMissionCompletedWebhook,
    remove: method.deleteMissionCompletedWebhook,
  } as unknown as typeof rewards,
  STOCK_LOW: {
    get: method.getStockLowWebhook,
    put: method.putStockLowWebhook,
    test: method.testStockLowWebhook,
    remove: method.deleteStockLowWebhook,
  } as unknown as typeof rewards,
};

/** The name of a type that the service answered. @throws Error for a value that this page does not know */
export function webhookTypeName(type: WebhookType): WebhookTypeName {
  return enumName(WebhookType, type);
}

/** The HTTP methods that a webhook may use; all but the rewards webhook take the first only. */
export const httpMethods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The name of the configured HTTP method; POST by default. */
export function httpMethodName(method: Method): (typeof httpMethods)[number] {
  return httpMethods.find((name) => Method[name] === method) ?? 'POST';
}

/** When the rewards webhook is sent while a reward waits for stock, the default first. */
export const sendWhenNames = ['EACH_DELIVERY', 'ALL_SETTLED'] as const;

/** The name of one of them. */
export type SendWhenName = (typeof sendWhenNames)[number];

/** The stored values by name, or the defaults. */
export function sendWhenName(sendWhen: SendWhen | undefined): SendWhenName {
  return sendWhenNames.find((name) => SendWhen[name] === sendWhen) ?? 'EACH_DELIVERY';
}
