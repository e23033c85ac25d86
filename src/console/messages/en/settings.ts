/** A person's own settings. */
export const settings = {
  title: 'Settings',
  description: 'Your profile, your password, and how this browser shows the console.',
  profile: 'Profile',
  name: 'Name',
  email: 'E-mail',
  role: 'Role',
  client: 'Client',
  clientZone: 'The client’s time zone',
  display: 'Display',
  displayHint: 'Kept in this browser.',
  language: 'Language',
  scheme: 'Colours',
  schemes: { auto: 'As the system', light: 'Light', dark: 'Dark' },
  timeZone: 'Time zone',
  timeZoneHint: 'Times in the console are shown on its clocks.',
  password: 'Password',
  passwordHint: 'Changing it ends your sessions in other browsers.',
} as const;

/** The second factor of the signed-in user. */
export const secondFactor = {
  title: 'Second factor',
  hint: 'Besides your password, sign-ins ask for a code of an app on your phone. Sign-ins by a provider do not.',
  off: 'Off',
  on: 'On',
  left: '{count, plural, =0 {No recovery code is left: switch it off and on again for new ones.} one {# recovery code is left.} other {# recovery codes are left.}}',
  enable: 'Switch on',
  enableTitle: 'Switch on the second factor',
  next: 'Next',
  scan: 'Scan this with an authenticator app, or type the key into it. Then enter the code that the app shows.',
  qr: 'QR code of the key',
  key: 'Key',
  codeHint: 'Six digits that the app shows.',
  confirm: 'Switch on',
  enabled: 'The second factor is on. Your sessions in other browsers have ended.',
  codesTitle: 'Your recovery codes',
  codes: 'Recovery codes',
  codesHint:
    'Each lets you in once, should you lose the app. They are not shown again: keep them apart from your password.',
  disable: 'Switch off',
  disableTitle: 'Switch off the second factor',
  disabled: 'The second factor is off.',
  disableRequired:
    '{name} requires one: to change over to another phone, set up the new one at once. Nothing else opens until then.',
  require: 'Require one of everybody who works for {name}',
  requireHint:
    'Whoever signs in by password and has none has to set one up before anything else opens, also in sessions that are open. Sign-ins by a provider and API keys are not asked.',
  nowRequired: '{name} requires a second factor now.',
  noLongerRequired: '{name} no longer requires a second factor.',
  firstTitle: 'Set up a second factor',
  firstHint:
    '{name} requires one of whoever signs in by password. You need an authenticator app on your phone. Afterwards you go on where you were.',
  first: 'Set up',
  ownClient: 'Your client',
} as const;
