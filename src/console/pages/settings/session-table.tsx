import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { OpenSession } from '../../../../gen/laurel/admin/v1/session_service_pb.ts';
import { browserName } from './browser-name.ts';

/** Open sessions, each with its browser, address, times and actions. */
export function SessionTable(props: {
  readonly sessions: readonly OpenSession[];
  readonly action?: (session: OpenSession) => ReactNode;
}) {
  const t = useTranslations('sessions');
  const format = useFormatter();
  if (props.sessions.length === 0) return <Text size="sm">{t('none')}</Text>;
  return (
    <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('title')}>
      {props.sessions.map((session) => (
        <Group component="li" key={session.id} justify="space-between" wrap="nowrap" align="flex-start">
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Group gap="xs">
              <Text size="sm" fw={600} title={session.userAgent}>
                {browserName(session.userAgent) || t('unknownBrowser')}
              </Text>
              {session.current && <Badge>{t('current')}</Badge>}
            </Group>
            <Text size="xs" c="dimmed">
              {[
                session.address,
                session.createdAt && t('since', { time: format.dateTime(timestampDate(session.createdAt), 'moment') }),
                session.lastUsedAt && t('used', { time: format.dateTime(timestampDate(session.lastUsedAt), 'moment') }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
          </div>
          {props.action?.(session)}
        </Group>
      ))}
    </Stack>
  );
}
