import {
  Activity,
  Ban,
  BellRing,
  Boxes,
  Building2,
  Contact,
  FileUp,
  FlaskConical,
  Gift,
  History,
  KeyRound,
  Layers,
  LayoutDashboard,
  ScrollText,
  type LucideIcon,
  MailX,
  Settings,
  Sigma,
  Store,
  Target,
  Trophy,
  UserCog,
  Users,
  Webhook,
} from 'lucide-react';
import { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';

/** One entry of the navigation: its text is `navigation.<key>` of the catalogue. */
export type Destination = {
  readonly key: DestinationKey;
  readonly path: string;
  readonly icon: LucideIcon;
  /** The permission to see the entry; READ_CLIENT by default, which every user has. */
  readonly needs?: Permission;
  /** The unique key that opens it after `g`. */
  readonly shortcut?: string;
};

type DestinationKey =
  | 'overview'
  | 'campaigns'
  | 'audiences'
  | 'events'
  | 'statistics'
  | 'levels'
  | 'leaderboards'
  | 'journal'
  | 'simulator'
  | 'rewards'
  | 'products'
  | 'marketplace'
  | 'accounts'
  | 'webhooks'
  | 'keys'
  | 'users'
  | 'imports'
  | 'clients'
  | 'audit'
  | 'alerts'
  | 'deadTriggers'
  | 'refusedCalls'
  | 'settings';

/** A group of entries: its heading is `navigation.<key>`. */
export type DestinationGroup = {
  readonly key: 'play' | 'give' | 'people' | 'operate';
  readonly destinations: readonly Destination[];
};

/** The navigation, in the order of an operator's daily work. */
export const navigation: readonly DestinationGroup[] = [
  {
    key: 'play',
    destinations: [
      { key: 'overview', path: '/', icon: LayoutDashboard, shortcut: 'o' },
      { key: 'campaigns', path: '/campaigns', icon: Target, shortcut: 'c' },
      { key: 'events', path: '/events', icon: Activity, shortcut: 'e' },
      { key: 'statistics', path: '/statistics', icon: Sigma },
      { key: 'levels', path: '/levels', icon: Layers },
      { key: 'leaderboards', path: '/leaderboards', icon: Trophy },
      { key: 'journal', path: '/journal', icon: ScrollText, shortcut: 'j' },
      { key: 'simulator', path: '/simulator', icon: FlaskConical, shortcut: 's' },
    ],
  },
  {
    key: 'give',
    destinations: [
      { key: 'rewards', path: '/rewards', icon: Gift, shortcut: 'r' },
      { key: 'products', path: '/products', icon: Boxes, shortcut: 'p' },
      { key: 'marketplace', path: '/marketplace', icon: Store, shortcut: 'm' },
    ],
  },
  {
    key: 'people',
    destinations: [
      { key: 'accounts', path: '/accounts', icon: Contact, shortcut: 'a' },
      { key: 'audiences', path: '/audiences', icon: Users, shortcut: 'u' },
      { key: 'imports', path: '/imports', icon: FileUp, shortcut: 'i' },
    ],
  },
  {
    key: 'operate',
    destinations: [
      { key: 'webhooks', path: '/webhooks', icon: Webhook, shortcut: 'w' },
      { key: 'alerts', path: '/alerts', icon: BellRing },
      { key: 'deadTriggers', path: '/dead-triggers', icon: MailX, shortcut: 'd' },
      { key: 'refusedCalls', path: '/refused-calls', icon: Ban },
      { key: 'keys', path: '/keys', icon: KeyRound, needs: Permission.KEEP_CREDENTIALS },
      { key: 'users', path: '/users', icon: UserCog, needs: Permission.KEEP_USERS },
      { key: 'clients', path: '/clients', icon: Building2, needs: Permission.ADMINISTER_SERVICE },
      { key: 'audit', path: '/audit', icon: History, shortcut: 'l' },
      { key: 'settings', path: '/settings', icon: Settings, shortcut: 't' },
    ],
  },
];
