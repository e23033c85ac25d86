/** Texts of support's operations on an account. */
export const support = {
  actions: 'Actions',
  save: 'Save changes',
  reward: 'Reward',
  audiencesOf: 'Audiences',
  externalIdHint: 'Events that name another id go to another account from then on.',
  timeZoneHint: 'Left empty, it is the client’s.',
  grant: {
    name: 'Grant a reward',
    hint: 'The account gets it as if it had earned it, of no campaign. What is out of stock waits for stock. No webhook tells of it.',
    done: 'The account has the reward.',
    waits: 'The reward waits for stock.',
  },
  edit: { name: 'Edit the account', done: 'The account is changed.' },
  export: { name: 'Download all data', done: 'All that is kept of the account is downloaded as JSON.' },
  audiences: {
    name: 'Change audiences',
    hint: 'Campaigns for an audience are offered to the account while it is in it. What it has earned stays.',
    same: 'Nothing is changed yet.',
    done: 'The audiences are changed.',
  },
  delete: {
    name: 'Delete the account',
    title: 'Delete this account?',
    hint: 'It disappears from lists and can no longer be used; what it holds back and what waits for stock is given back. Its next event creates a new account.',
    done: 'The account is deleted.',
  },
  erase: {
    name: 'Erase the account',
    title: 'Erase this account for good?',
    hint: 'The account is deleted, and whatever tells whose it was goes for good: ids, name, e-mail, codes. Nobody can undo this.',
    done: 'The account is erased.',
  },
  openChest: 'Open',
  openChestOf: 'Open {name}',
  openChestTitle: 'Open {name} for the account?',
  openChestHint: 'Its content is drawn now and delivered at once, as if the account had opened it.',
  chestOpened: 'The chest is opened.',
  claim: 'Claim',
  claimOf: 'Claim {name}',
  claimTitle: 'Claim {name} for the account?',
  claimHint:
    'The account gets the campaign’s completion rewards now, as if it had claimed them. The rewards webhook tells of it.',
  claimed: 'The campaign is claimed.',
  cancelVerb: 'Cancel',
  cancelRedemption: 'Cancel redemption',
  cancelRedemptionOf: 'Cancel {name}',
  cancelRedemptionTitle: 'Cancel the redemption of {name}?',
  cancelRedemptionHint:
    '{points, plural, =0 {It cost no points, so none return.} one {# point returns to the account.} other {# points return to the account.}} {count, plural, one {# unit does} other {# units do}} not go back to stock: add units to the product if they can be given out again.',
  redemptionCancelled:
    '{points, plural, =0 {The redemption is cancelled.} one {The redemption is cancelled, # point is back.} other {The redemption is cancelled, # points are back.}}',
} as const;
