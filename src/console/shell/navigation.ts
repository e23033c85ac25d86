import {
  Activity,
  Boxes,
  Building2,
  Contact,
  FileUp,
  FlaskConical,
  Gift,
  History,
  KeyRound,
  LayoutDashboard,
  ScrollText,
  type LucideIcon,
  MailX,
  Settings,
  Store,
  Target,
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
  /** Without it nobody finds the entry; READ_CLIENT by default, which everybody has who signs in. */
  readonly needs?: Permission;
};

type DestinationKey =
  | 'overview'
  | 'campaigns'
  | 'audiences'
  | 'events'
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
  | 'deadTriggers'
  | 'settings';

/** A group of entries: its heading is `navigation.<key>`. */
export type DestinationGroup = {
  readonly key: 'play' | 'give' | 'people' | 'operate';
  readonly destinations: readonly Destination[];
};

/** The navigation, in the order in which an operator's day goes through it. */
export const navigation: readonly DestinationGroup[] = [
  {
    key: 'play',
    destinations: [
      { key: 'overview', path: '/', icon: LayoutDashboard },
      { key: 'campaigns', path: '/campaigns', icon: Target },
      { key: 'events', path: '/events', icon: Activity },
      { key: 'journal', path: '/journal', icon: ScrollText },
      { key: 'simulator', path: '/simulator', icon: FlaskConical },
    ],
  },
  {
    key: 'give',
    destinations: [
      { key: 'rewards', path: '/rewards', icon: Gift },
      { key: 'products', path: '/products', icon: Boxes },
      { key: 'marketplace', path: '/marketplace', icon: Store },
    ],
  },
  {
    key: 'people',
    destinations: [
      { key: 'accounts', path: '/accounts', icon: Contact },
      { key: 'audiences', path: '/audiences', icon: Users },
      { key: 'imports', path: '/imports', icon: FileUp },
    ],
  },
  {
    key: 'operate',
    destinations: [
      { key: 'webhooks', path: '/webhooks', icon: Webhook },
      { key: 'deadTriggers', path: '/dead-triggers', icon: MailX },
      { key: 'keys', path: '/keys', icon: KeyRound, needs: Permission.KEEP_CREDENTIALS },
      { key: 'users', path: '/users', icon: UserCog, needs: Permission.KEEP_USERS },
      { key: 'clients', path: '/clients', icon: Building2, needs: Permission.ADMINISTER_SERVICE },
      { key: 'audit', path: '/audit', icon: History },
      { key: 'settings', path: '/settings', icon: Settings },
    ],
  },
];
