import { exampleId } from './openapi-examples.ts';

const own = (kind: string): string => exampleId(kind);

/**
 * Example messages by code. They are messages of the service: a test finds them in its source and in answers of a
 * running service. For a code without an entry the comment of the code is used.
 */
export const errorMessages: Readonly<Record<string, string>> = {
  BAD_REQUEST: 'page must be greater than or equal to 1.',
  UNAUTHENTICATED: 'The credential has been revoked. Send one that is still valid.',
  FORBIDDEN: "This operation needs the access token of the client's administrator (`lrl_adm_...`).",
  CLIENT_NOT_FOUND: `There is no client ${own('client')}.`,
  OPERATION_ID_REUSED:
    "The operationId 'order-2026-000123' was used before with other content. Send a new operationId for a new operation.",
  OPERATION_IN_PROGRESS:
    "The operation 'order-2026-000123' is being processed. Retry with backoff and the same operationId.",
  VERSION_CONFLICT:
    'Somebody else changed it: you read version 1, it is at version 2 now. Read it again and repeat your change on that.',
  DATABASE_BUSY: 'The database is busy, nothing was stored. Repeat the call later.',
  DATABASE_UNAVAILABLE: 'The database cannot be reached, nothing was stored. Repeat the call later.',
  RATE_LIMITED: 'This credential has used up its 100 requests a second.',
  INTERNAL_SERVER_ERROR: 'The service failed. Repeat the call with backoff; if it fails again, report the traceId.',
  CREDENTIAL_NOT_FOUND: `There is no credential with the id ${own('credential')}.`,
  CONSOLE_USER_NOT_FOUND: `There is no user with the id ${own('consoleUser')}.`,
  CONSOLE_USER_ALREADY_EXISTS:
    'This client has a user with the e-mail grace@example.com already. Change that one, or send another e-mail.',
  OWN_USER: 'Nobody disables or demotes oneself. Ask another administrator to do it.',
  SIGN_IN_REFUSED:
    'The e-mail or the password is wrong. Try again; after five wrong passwords one has to wait longer each time.',
  SESSION_ENDED: 'The session has ended. Sign in again.',
  SESSION_REQUIRED: 'An access token has no password. Sign in, and send the token of the session.',
  WRONG_PASSWORD: 'currentPassword is wrong. Send the one you signed in with.',
  SECOND_FACTOR_REQUIRED:
    'The password is right. Send it again with secondFactor: the code that the authenticator app shows, or a recovery code.',
  SECOND_FACTOR_REFUSED:
    'The code is wrong, too old, or was used before. Send the next one that the app shows, or a recovery code that has not been used.',
  SECOND_FACTOR_ENABLED: 'There is a second factor already. Switch it off first.',
  SECOND_FACTOR_NOT_ENABLED: 'There is no second factor, or none that waits to be confirmed.',
  USER_DISABLED: 'This user has been disabled. Ask an administrator to enable it again.',
  BUSY: 'Too many people sign in at this moment. Repeat the call in a second.',
  ACCOUNT_NOT_FOUND: `There is no account with the id ${own('account')}.`,
  ACCOUNT_ALREADY_EXISTS:
    "Another account has the externalId 'customer-4711'. Resolve that one, or send another externalId.",
  ACCOUNT_SUSPENDED: 'The account is suspended: it gets and spends nothing until support resumes it.',
  AUDIENCE_NOT_FOUND: `There is no audience with the id ${own('audience')}.`,
  AUDIENCE_NOT_MANUAL: 'Every account is in this audience: nothing to assign or remove.',
  AUDIENCE_IN_USE: "It is in use: campaign 'Spring welcome'. Delete those that are drafts, or keep the audience.",
  EVENT_DEFINITION_NOT_FOUND: "There is no event definition 'PURCHASE'. GET /gamification/triggers lists the codes.",
  EVENT_DEFINITION_ALREADY_EXISTS: "The catalogue has 'PURCHASE' already. Send another programmaticCode.",
  EVENT_DEFINITION_IN_USE:
    "It is in use: campaign 'Spring welcome'. Delete the drafts among them, or keep the definition.",
  LEADERBOARD_NOT_FOUND: `There is no leaderboard ${own('leaderboard')}.`,
  LEADERBOARD_RUN_NOT_FOUND: `The leaderboard has no run ${own('leaderboardRun')}.`,
  LEADERBOARD_IMMUTABLE:
    'Statistic, order, audiences and lateHours are fixed from the activation on, and these differ: order. Send them as they are, or create another leaderboard.',
  TOO_MANY_LEADERBOARDS: 'The client has 10000 leaderboards, the most that it may have. Delete one first.',
  LEADERBOARD_IN_USE:
    'It is in use: the leaderboard itself, which is ACTIVE. End it, and wait for the close of its runs or cancel them first.',
  LEADERBOARD_ENDED: "The leaderboard 'Kilometres of the week' has ended. Create another one.",
  LEADERBOARD_NOT_ACTIVE: "The leaderboard 'Kilometres of the week' is a DRAFT. Activate it first, or delete it.",
  LEADERBOARD_RUN_NOT_OPEN: 'The run is CLOSED: its ranks are final, and its prizes are delivered.',
  LEVEL_TRACK_NOT_FOUND: `There is no level track ${own('levelTrack')}.`,
  LEVEL_TRACK_ALREADY_EXISTS: "There is a level track 'tier' already. Send another code.",
  LEVEL_TRACK_IMMUTABLE:
    'The code and the statistic of a level track never change, and these differ: statisticCode. Send them as they are, or create another level track.',
  TOO_MANY_LEVEL_TRACKS: 'The client has 20 level tracks, the most that it may have. Delete one first.',
  STATISTIC_DEFINITION_NOT_FOUND: `There is no statistic with the id ${own('statisticDefinition')}.`,
  STATISTIC_DEFINITION_ALREADY_EXISTS: "There is a statistic 'coffees_month' already. Send another code.",
  STATISTIC_DEFINITION_IMMUTABLE:
    'What a statistic counts never changes, and these differ: period. Send them as they are, or create another statistic.',
  TOO_MANY_STATISTIC_DEFINITIONS: 'The client has 100 statistics, the most that it may have. Delete one first.',
  BATCH_TOO_LARGE:
    'The answer is full after the first 40 events, so this one was not applied. Send it again in another batch.',
  DEAD_TRIGGER_NOT_FOUND: `There is no dead trigger ${own('deadTrigger')}. It may have been replayed or discarded.`,
  TRIGGER_NOT_FOUND: `No event 'PURCHASE' with the operationId '${own('triggerOperation')}' is known. Name an old event by journalEntryId.`,
  STREAK_FREEZES_NOT_SOLD:
    'The client sells no streak freezes. An administrator sets `streaks.freezePrice` first: PUT /admin/clients/{id}.',
  TOO_MANY_STREAK_FREEZES: 'The account has 3 streak freezes, and room for 0 more. Ask for at most so many.',
  VACATION_DAYS_BEGUN:
    'For the account the first possible day is 2026-07-02. A day that has begun cannot become a vacation.',
  TOO_MANY_VACATION_DAYS:
    'The account would have 31 days of vacation in 2026, of at most 30. Announce fewer days of that year.',
  STREAK_NOT_RESTORABLE: 'No lost run of the streak is known: fill in `length`.',
  BACKFILL_NOT_ENABLED:
    'The client takes no backfill. An administrator sets `backfillDaysMax` above 0 first: PUT /admin/clients/{id}.',
  REVERSAL_TOO_OLD:
    'The journal does not have this event any more, so it cannot be taken back. Correct what it did by hand.',
  REVERSAL_TOO_LARGE:
    '4.5 is left of the event. Send an `amount` of at most that, or leave it out for all that is left.',
  REVERSAL_NOT_STORED:
    'A streak or a routine counted the event before this release, which did not store what a reversal needs. Correct it by hand.',
  MISSION_NOT_FOUND: `There is no standalone mission with the id ${own('mission')}.`,
  MISSION_IN_USE:
    "It is in use: mission 'Three purchases'. Keep the missions that come before these, or take them out of the prerequisites first.",
  TOO_MANY_ACTIVE_MISSIONS:
    "The code 'PURCHASE' would have 501 active missions; it may have 500. End or pause others that count it first, or use another event code.",
  CAMPAIGN_NOT_READY: 'endsAt: The campaign is over before it begins. Move its end into the future.',
  MISSION_IMMUTABLE:
    'The mission is offered, so these cannot change any more: target. Send them as they are, or end it and create another.',
  CAMPAIGN_NOT_FOUND: `There is no campaign with the id ${own('campaign')}.`,
  CAMPAIGN_NOT_ACTIVE: 'The campaign is a DRAFT. Activate it first.',
  CAMPAIGN_NOT_DRAFT: 'The campaign is ACTIVE, and accounts have seen it. Only a DRAFT can be deleted; end this one.',
  CAMPAIGN_ENDED: 'The campaign has ended for good. Duplicate it instead.',
  CAMPAIGN_IMMUTABLE:
    'The campaign has been active, so these cannot change any more: audienceIds. Send them as they are, or duplicate it.',
  CAMPAIGN_NOT_CLAIMABLE: 'The campaign closes automatically: its rewards need no claim.',
  CAMPAIGN_NOT_COMPLETED: 'The account has yet to complete missions of this campaign.',
  CAMPAIGN_ALREADY_CLAIMED: 'The account has claimed this campaign. my-rewards lists what it got.',
  REWARD_NOT_FOUND: `There is no reward ${own('reward')}.`,
  REWARD_IN_USE: "It is in use: campaign 'Spring welcome'. End the campaigns, or archive the chests first.",
  EARNED_REWARD_NOT_FOUND: `There is no earned reward ${own('earnedReward')}.`,
  EARNED_REWARD_NOT_PENDING:
    'The account has the reward already: only what waits for stock can be cancelled or delivered.',
  CHEST_NOT_FOUND: `There is no chest ${own('chest')}.`,
  CHEST_ALREADY_OPENED:
    "The chest was opened at 2026-03-14T16:42:10.250Z. What it held is among the account's earned rewards.",
  CHEST_DEFINITION_NOT_FOUND: `There is no chest definition ${own('chestDefinition')}.`,
  CHEST_DEFINITION_IN_USE: "It is in use: reward 'Spring chest'. Archive these rewards first.",
  CHEST_DEFINITION_WON:
    'A chest of it has been won, so its odds stay what they were. Create another chest definition for other odds.',
  PRODUCT_NOT_FOUND: `There is no product ${own('product')}.`,
  PRODUCT_IN_USE:
    "It is in use: reward 'Coffee voucher'. Archive the rewards, unpublish the publications and restock for those who wait first.",
  PRODUCT_CODE_NOT_FOUND: `There is no code ${own('code')}. It may have been withdrawn.`,
  PRODUCT_CODE_REDEEMED: `No code was withdrawn, because accounts have these: ${own('code')}. Leave them out.`,
  PRODUCT_NOT_REDEEMABLE: "The product 'Coffee voucher' has no price in points. Choose one that is sold for points.",
  STOCK_MODE_MISMATCH: "The units of 'Coffee voucher' are counted as CODES. Add codes to it.",
  OUT_OF_STOCK: "The publication 'Coffee voucher' has no units available. Ask for fewer, or later.",
  INSUFFICIENT_POINTS:
    'This takes 50 points and the account has 20. Ask for less, or try again when the account has earned more.',
  REDEMPTION_NOT_FOUND: `There is no redemption ${own('redemption')}.`,
  REDEMPTION_NOT_CANCELLABLE: 'Only what was bought can be taken back; this one is from REWARD.',
  REDEMPTION_ALREADY_CANCELLED: 'The redemption has been taken back already.',
  PUBLICATION_NOT_FOUND: `There is no publication ${own('publication')}.`,
  PUBLICATION_NOT_PUBLISHED:
    "The publication 'Coffee voucher' is a DRAFT and cannot be bought. Choose a published one.",
  PUBLICATION_PUBLISHED: "'Coffee voucher' is published. Unpublish it first.",
  PUBLICATION_SOLD: "Units of 'Coffee voucher' have been sold, and their receipts name it. Leave it a draft.",
  RESERVATION_NOT_FOUND: `There is no reservation ${own('reservation')}.`,
  RESERVATION_NOT_ACTIVE: 'The reservation holds nothing any more: it was given back or bought, or its time ran out.',
  PUBLICATION_RESERVED: "Accounts hold 3 units of 'Coffee voucher' back. Wait until they buy or give them back.",
  AGREEMENT_NOT_FOUND: `There is no agreement ${own('agreement')}.`,
  UNITS_NOT_FREE:
    "The product 'Coffee voucher' has 60 units left: 40 are allocated to publications and 20 are free. Add units to the product first.",
  WEBHOOK_NOT_FOUND: 'No rewards webhook is configured; store one by PUT /webhooks/rewards.',
  WEBHOOK_DELIVERY_NOT_FOUND: `There is no attempt ${own('webhookDelivery')} in the log. It may have been too old.`,
  WEBHOOK_NOT_CONFIGURED: 'There is no webhook of type REWARDS to send it to. Configure one first.',
  WEBHOOK_WAITING: 'The message waits to be sent already. Look at the log in a moment.',
  CHANGE_FEED_OFF:
    'This client keeps no changes. An administrator switches the feed on by `PUT /v1/change-feed`, with the days to keep them.',
  CHANGES_GONE:
    'Changes behind `after` are no longer kept. Read the end of the feed (`GET /v1/change-feed`), then the present state of the accounts, and continue with that end.',
  CHANGES_DIVERGED:
    'The change of `after` is not in this database, which was restored to an earlier moment. Read the end of the feed (`GET /v1/change-feed`), then the present state of the accounts, and continue with that end.',
  WEBHOOK_BODY_GONE:
    'The log does not have what was sent any more. Let the integrator read the rewards or publications instead.',
  WEBHOOK_ENDPOINT_NOT_FOUND: `There is no webhook endpoint with the id ${own('webhookEndpoint')}.`,
  IMPORT_NOT_REVERSIBLE: 'The import is a rehearsal: it has changed nothing.',
  IMPORT_NOT_FOUND: `There is no import with the id ${own('import')}.`,
  IMPORT_NOT_UPLOADING: 'The import takes no more bytes: it is DONE. Create another for another file.',
  IMPORT_ENDED: 'The import is DONE already: there is nothing to stop.',
};
