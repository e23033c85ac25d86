import type { Messages } from '../messages.ts';
import { accounts } from './accounts.ts';
import { alerts } from './alerts.ts';
import { attributes } from './attributes.ts';
import { audiences } from './audiences.ts';
import { campaigns } from './campaigns.ts';
import { conditions, uncounted } from './counting.ts';
import { endpoints } from './endpoints.ts';
import { events } from './events.ts';
import { expressions } from './expressions.ts';
import { archivable, codes, feedback, form, rules, table, uses } from './parts.ts';
import { audit, clients, deadTriggers, keys, notes, sessions, users } from './operate.ts';
import { fields } from './fields.ts';
import { imports } from './imports.ts';
import { leads } from './leads.ts';
import { marketplace } from './marketplace.ts';
import { palette } from './palette.ts';
import { overview } from './overview.ts';
import { simulator } from './simulator.ts';
import { products } from './products.ts';
import { refusedCalls } from './refused-calls.ts';
import { rewards } from './rewards.ts';
import { leaderboards } from './leaderboards.ts';
import { levels } from './levels.ts';
import { statistics } from './statistics.ts';
import { support } from './support.ts';
import { secondFactor, settings } from './settings.ts';
import { navigation, shell, signIn } from './shell.ts';
import { journal, timeline } from './timeline.ts';
import { webhooks } from './webhooks.ts';

export { serviceMessages } from './service/service-messages.ts';

/** Every text of the console in Spanish, by page. */
export const es: Messages = {
  accounts,
  alerts,
  archivable,
  attributes,
  audiences,
  audit,
  clients,
  codes,
  conditions,
  deadTriggers,
  notes,
  keys,
  sessions,
  users,
  webhooks,
  simulator,
  campaigns,
  endpoints,
  events,
  expressions,
  feedback,
  fields,
  form,
  imports,
  journal,
  leads,
  marketplace,
  navigation,
  overview,
  palette,
  products,
  refusedCalls,
  rewards,
  rules,
  secondFactor,
  settings,
  shell,
  signIn,
  statistics,
  leaderboards,
  levels,
  support,
  table,
  timeline,
  uncounted,
  uses,
};
