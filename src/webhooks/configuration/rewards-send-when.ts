import type { UnitOfWork } from '../../persistence/database.ts';
import { findConfiguration, type SendWhen } from './webhook-configuration.queries.ts';

/** The `sendWhen` of the rewards webhook; EACH_DELIVERY if no webhook is configured. */
export async function rewardsSendWhen(uow: UnitOfWork): Promise<SendWhen> {
  return (await findConfiguration(uow, 'REWARDS'))?.sendWhen ?? 'EACH_DELIVERY';
}
