import { Alert, Button, Group } from '@mantine/core';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useCallback, useSyncExternalStore } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { isGone } from '../api/failure.ts';

/** The age in milliseconds from which the day is shown beside the time. */
const DAY = 86_400_000;

const MINUTE = 60_000;

/**
 * Says that something on the screen is older than it should be, because asking again failed: since when, with a button that
 * asks again. It watches everything that is on the screen, so that no page has to.
 */
export function StaleNotice() {
  const t = useTranslations('feedback');
  const format = useFormatter();
  const now = useNow({ updateInterval: MINUTE }).getTime();
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((onStoreChange: () => void) => cache.subscribe(onStoreChange), [cache]);
  const since = useSyncExternalStore(subscribe, () =>
    cache
      .findAll({ type: 'active', predicate: isStale })
      .reduce<number | undefined>(
        (oldest, { state }) => Math.min(oldest ?? state.dataUpdatedAt, state.dataUpdatedAt),
        undefined,
      ),
  );
  if (since === undefined) return null;
  const time = format.dateTime(new Date(since), now - since < DAY ? 'hour' : 'moment');
  return (
    <Alert color="yellow" role="status" py="xs" icon={<CloudOff />}>
      <Group gap="sm">
        {t('stale', { time })}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => void client.refetchQueries({ type: 'active', predicate: isStale })}
        >
          {t('retry')}
        </Button>
      </Group>
    </Alert>
  );
}

/** Whether the last attempt to read something again failed. A page reports a missing resource itself. */
function isStale({ state }: Query): boolean {
  const failure = state.error ?? state.fetchFailureReason;
  return state.data !== undefined && failure !== null && !isGone(failure);
}
