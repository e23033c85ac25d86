/** Texts of the log of refused calls. */
export const refusedCalls = {
  title: 'Refused calls',
  description:
    'Calls of your systems that were refused or failed, and why. Of many like calls only some are kept; the counts have all.',
  operation: 'Operation',
  code: 'Code',
  account: 'Account id',
  key: 'Key',
  event: 'Event {code}',
  field: 'Field {field}',
  operationId: 'Operation id {id}',
  byToken: '{key}, with an account token',
  otherKey: 'a key of another client',
  counts: 'By operation and key',
  countsHint: 'All calls of the period, by whole hours of UTC.',
  of: '{refused, number} of {calls, number} refused',
  empty: 'No call was refused',
  emptyHint: 'Calls that are refused show here, for as long as the journal keeps events.',
  noMatch: 'No refused call matches',
  noMatchHint: 'Change the filters or the period. Calls go after some days.',
  noAccount: 'Nobody has this id',
} as const;
