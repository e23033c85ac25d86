import type { Messages } from '../messages.ts';
import { accounts } from './accounts.ts';
import { audiences } from './audiences.ts';
import { campaigns } from './campaigns.ts';
import { events } from './events.ts';
import { feedback, form, rules, table } from './parts.ts';
import { overview } from './overview.ts';
import { simulator } from './simulator.ts';
import { settings } from './settings.ts';
import { navigation, shell, signIn } from './shell.ts';

/** Every text of the console in Spanish, by page. */
export const es: Messages = {
  accounts,
  simulator,
  campaigns,
  events,
  feedback,
  form,
  navigation,
  overview,
  rules,
  settings,
  shell,
  signIn,
  table,
};
