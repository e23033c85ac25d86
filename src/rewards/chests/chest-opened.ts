import { ChestOpenedSchema } from '../../../gen/laurel/v1/change_pb.ts';
import { changeOf, type FedChange } from '../../changes/collect-changes.ts';
import { type Chest, toChestMessage } from './chest-message.ts';

/** The change that announces an opened chest. */
export function chestOpened(chest: Chest): FedChange {
  return changeOf('CHEST_OPENED', ChestOpenedSchema, { accountId: chest.accountId, chest: toChestMessage(chest) });
}
