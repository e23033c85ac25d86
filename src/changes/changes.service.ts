import type { ChangeService } from '../../gen/laurel/v1/change_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { getChangeFeed } from './get-change-feed.ts';
import { listChanges } from './list-changes.ts';
import { updateChangeFeed } from './update-change-feed.ts';

/** The operations of the feed of changes. */
export const changesService = {
  listChanges,
  getChangeFeed,
  updateChangeFeed,
} satisfies Handlers<typeof ChangeService>;
