import type { ChangeService } from '../../gen/laurel/v1/change_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { type CsvText, exportChanges, exportChangesCsv } from './export-changes.ts';
import type { FeedEnds } from './feed-ends.ts';
import { followChanges } from './follow-changes.ts';
import { getChangeFeed } from './get-change-feed.ts';
import { listChanges } from './list-changes.ts';
import { updateChangeFeed } from './update-change-feed.ts';
import type { AccountStreams } from './watching/account-streams.ts';
import { watchAccount } from './watching/watch-account.ts';

/** The operations of the feed of changes. */
export const changesService = ({
  ends,
  streams,
  csvText,
}: {
  readonly ends: FeedEnds;
  readonly streams: AccountStreams;
  readonly csvText: CsvText;
}) =>
  ({
    listChanges,
    followChanges: (call, request) => followChanges(call, request, ends),
    watchAccount: (call, request) => watchAccount(call, request, streams),
    exportChanges,
    exportChangesCsv: (call, request) => exportChangesCsv(call, request, csvText),
    getChangeFeed,
    updateChangeFeed,
  }) satisfies Handlers<typeof ChangeService>;
