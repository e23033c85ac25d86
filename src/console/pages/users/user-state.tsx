import { timestampDate, timestampMs } from '@bufbuild/protobuf/wkt';
import { Badge } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { ConsoleUser } from '../../../../gen/laurel/admin/v1/console_user_pb.ts';

const colours = { active: 'laurel', disabled: 'gray', locked: 'red', invited: 'yellow' } as const;

/** Whether a user can sign in, or the reason against it. */
export function UserState({ user }: { readonly user: ConsoleUser }) {
  const t = useTranslations('users');
  const format = useFormatter();
  const state = stateOf(user);
  const until = user.lockedUntil && format.dateTime(timestampDate(user.lockedUntil), 'moment');
  return (
    <Badge color={colours[state]} title={state === 'locked' ? t('lockedUntil', { time: until ?? '' }) : undefined}>
      {t(`states.${state}`)}
    </Badge>
  );
}

function stateOf({ disabled, lockedUntil, passwordChangeRequired }: ConsoleUser): keyof typeof colours {
  if (disabled) return 'disabled';
  if (lockedUntil && timestampMs(lockedUntil) > Date.now()) return 'locked';
  return passwordChangeRequired ? 'invited' : 'active';
}
