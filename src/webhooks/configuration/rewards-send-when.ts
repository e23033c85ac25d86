import type { UnitOfWork } from '../../persistence/database.ts';
import { findConfiguration, type SendWhen } from './webhook-configuration.queries.ts';

/** When the client wants to hear of a closing for which stock is missing. EACH_DELIVERY also where no webhook is configured. */
export async function rewardsSendWhen(uow: UnitOfWork): Promise<SendWhen> {
  return (await findConfiguration(uow, 'REWARDS'))?.sendWhen ?? 'EACH_DELIVERY';
}
