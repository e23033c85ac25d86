import { accountParts } from '../accounts/account-parts.ts';
import { audienceParts } from '../audiences/account-parts.ts';
import { auditParts } from '../audit/account-parts.ts';
import { campaignParts } from '../campaigns/account-parts.ts';
import { operationParts } from '../idempotency/account-parts.ts';
import { changeParts } from '../changes/account-parts.ts';
import { journalParts } from '../journal/account-parts.ts';
import { leaderboardParts } from '../leaderboards/account-parts.ts';
import { levelParts } from '../levels/account-parts.ts';
import { loyaltyParts } from '../loyalty/account-parts.ts';
import { marketplaceParts } from '../marketplace/account-parts.ts';
import { mergingParts } from '../merging/account-parts.ts';
import { outlierParts } from '../outliers/account-parts.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { redemptionParts } from '../redemptions/account-parts.ts';
import { refusedCallParts } from '../refused-calls/account-parts.ts';
import { rewardParts } from '../rewards/account-parts.ts';
import { statisticParts } from '../statistics/account-parts.ts';
import { triggerParts } from '../triggers/account-parts.ts';
import { webhookParts } from '../webhooks/account-parts.ts';

/**
 * The data of all modules about an account, in the order of the export. Every table is in one of these parts or in
 * {@link TABLES_WITHOUT_ACCOUNTS}. It is in `app`, because only `app` may know all modules.
 */
export const partsOfAccount: readonly AccountPart[] = [
  ...accountParts,
  ...audienceParts,
  ...campaignParts,
  ...statisticParts,
  ...levelParts,
  ...leaderboardParts,
  ...rewardParts,
  ...loyaltyParts,
  ...redemptionParts,
  ...marketplaceParts,
  ...triggerParts,
  ...mergingParts,
  ...journalParts,
  ...outlierParts,
  ...refusedCallParts,
  ...operationParts,
  ...webhookParts,
  ...changeParts,
  ...auditParts,
];

const DEFINITION = 'What administrators define for all accounts.';
const ADMINISTRATION = 'About people and systems that administer a client, not about accounts.';

/** Tables that are neither exported nor erased with an account, with the reasons. */
export const TABLES_WITHOUT_ACCOUNTS: Readonly<Record<string, string>> = {
  client: ADMINISTRATION,
  credential: ADMINISTRATION,
  console_user: ADMINISTRATION,
  console_session: ADMINISTRATION,
  console_token: ADMINISTRATION,
  console_device: ADMINISTRATION,
  sign_in_attempt: ADMINISTRATION,
  failed_sign_in: ADMINISTRATION,
  account_token_key: ADMINISTRATION,
  audit_seal: 'Places of audit entries in their chain, and hashes of them; they go with the entries.',
  audit_checkpoint: 'Signed hashes of the chain, by position.',
  webhook_configuration: ADMINISTRATION,
  webhook_endpoint: ADMINISTRATION,
  change_feed: ADMINISTRATION,
  alert_setting: ADMINISTRATION,
  alert_channel: ADMINISTRATION,
  alert: ADMINISTRATION,
  housekeeping_round: 'When housekeeping last looked at the clock.',
  audience: DEFINITION,
  event_definition: DEFINITION,
  statistic_definition: DEFINITION,
  deleted_statistic: DEFINITION,
  level_track: DEFINITION,
  deleted_level_track: DEFINITION,
  leaderboard: DEFINITION,
  leaderboard_run: 'Periods of leaderboards. The account up to which prizes are delivered leaves with the leaderboard.',
  deleted_leaderboard_run: DEFINITION,
  leaderboard_range: 'Numbers of entries by score.',
  leaderboard_delta: 'Scores without accounts; gone within a second.',
  campaign: DEFINITION,
  mission: DEFINITION,
  product: DEFINITION,
  product_item: DEFINITION,
  product_code:
    'Stock: a code names a redemption, which the export has with the code, and which loses it with the account.',
  reward: DEFINITION,
  chest_definition: DEFINITION,
  agreement: DEFINITION,
  publication: DEFINITION,
  operation_refusal: 'Ids of operations that were refused, without what they were about; they go after an hour.',
  trigger_batch: 'Ranges of waiting events that a process is applying; gone once it has.',
  csv_import: DEFINITION,
  csv_import_chunk: 'A file as it was uploaded; gone when its import has ended.',
  csv_import_event: 'Rows of a file of events until they are applied, like the file.',
  csv_import_entry: 'Places of events in the journal, which has no entries of an erased account.',
  csv_import_refusal: 'Rows of a file that had no effect, by the key that the file has; they go after 30 days.',
  statistic_hour: 'Counts of a client by the hour.',
  call_count: 'Counts of calls by the hour.',
  outlier_measurement: 'Which hour of a client was measured last.',
};
