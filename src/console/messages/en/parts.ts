/** Texts of notifications, failures and questions. */
export const feedback = {
  failed: 'That did not work',
  unreachable: 'The service does not answer. Check your connection and try again.',
  traceId: 'Trace id',
  copy: 'Copy',
  copied: 'Copied',
  kept: 'I have kept it in a safe place',
  close: 'Close',
  quoted: '“{text}”',
  stale: 'Could not be refreshed since {time}.',
  retry: 'Try again',
  cancel: 'Cancel',
} as const;

/** Texts of all forms. */
export const form = {
  make: 'Create “{name}”…',
  makeNew: 'Create a new one…',
  reason: 'Reason',
  reasonHint: 'Stays in the audit log, which outlives the account: no personal data.',
  typed: 'Type {text} to confirm',
  typedWrong: 'This is not {text}.',
  cancel: 'Cancel',
  back: 'Go back',
  close: 'Close',
  save: 'Save changes',
  readAgain: 'Read it again and drop my changes',
  bothVersions: 'What is stored now beside what you entered',
  storedNow: 'Stored now',
  yours: 'Yours',
  nothingFound: 'Nothing found',
  choose: 'Choose, or type to search',
  name: 'Name',
  units: 'Units to add',
  addUnits: 'Add units',
  unsaved: 'Leave without saving?',
  unsavedHint: 'What you entered here has not been saved.',
  secretShown: 'Leave without the secret?',
  secretShownHint: 'It is shown this once. Copy it first, or it is lost.',
  leave: 'Leave',
  stay: 'Stay here',
} as const;

/** Texts beside a field that breaks a rule. */
export const rules = {
  required: 'Fill this in.',
  choose: 'Choose one.',
  minLength: 'At least {number} characters.',
  maxLength: 'At most {number} characters.',
  minItems: 'Choose at least {number}.',
  maxItems: 'Choose at most {number}.',
  unique: 'The same one is here twice.',
  address: 'An absolute address, beginning with https:// or http://.',
  email: 'An e-mail address.',
  pattern: 'This does not have the right form.',
  aboveUpTo: 'A number above {number}, up to {second}.',
  between: 'A number from {number} to {second}.',
  atLeast: 'At least {number}.',
  atMost: 'At most {number}.',
  above: 'A number above {number}.',
  notZero: 'Any number but 0.',
} as const;

/** Texts of all tables. */
export const table = {
  from: 'From',
  until: 'To',
  actions: 'Actions',
  noMatch: 'Nothing matches',
  noMatchHint: 'Nothing here has what the filters ask for. Clear them to see everything.',
  clear: 'Clear filters',
  search: 'Search',
  searchId: 'Whole id',
  csv: 'CSV',
  savedPart:
    'The file has the first {count, number} rows only; there are more. Narrow the list, or save them in parts, for example by date. All accounts, codes and redemptions are under Imports, Exports.',
  save: 'Download',
  saveHint: 'All rows that are listed, on all pages; at most 100,000.',
  saveAs: { xlsx: 'Spreadsheet (XLSX), as shown', csv: 'CSV, as shown', raw: 'CSV with all fields and ids' },
  copy: 'Copy {text}',
  copied: 'Copied',
  loading: 'Loading…',
  noRows: 'Nothing to show',
  range: '{first, number}–{last, number} of {totalRows, number}',
  next: 'Next page',
  previous: 'Previous page',
  pageNumber: 'Page {page, number}',
  pageSize: 'Rows per page',
} as const;

/** Texts about uses that prevent archiving or deletion. */
export const uses = {
  title: '{name} is in use',
  hint: '“{action}” is possible when nothing uses it any more:',
  kinds: { campaign: 'Campaign', mission: 'Mission', chest: 'Chest', reward: 'Reward', publication: 'Publication' },
} as const;

/** Masked codes, which are shown in full on request. */
export const codes = {
  reveal: 'Show code {code}',
  revealHint: 'Show the code. The audit log tells who did.',
  hide: 'Hide code {code}',
} as const;

/** Lists of resources that are archived instead of removed. */
export const archivable = {
  inUse: 'In use',
  withArchived: 'With archived ones',
  badge: 'Archived',
} as const;
