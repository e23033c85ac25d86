import { useQuery } from '@connectrpc/connect-query';
import { Text } from '@mantine/core';
import { createContext, type ReactNode, use } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { AccountService } from '../../../../gen/laurel/v1/account_service_pb.ts';
import { usePreferences } from '../../language/preferences.ts';
import { useSession } from '../../session/session-context.tsx';

const ZoneContext = createContext<string | undefined>(undefined);

/** Shows everything below with the account's own clock beside the person's: by it days and streaks of the account begin. */
export function AccountClock({ accountId, children }: { readonly accountId: string; readonly children: ReactNode }) {
  const t = useTranslations('timeline');
  const { timeZone: own } = usePreferences();
  const { client } = useSession();
  const { data } = useQuery(AccountService.method.getAccount, { id: accountId });
  const zone = data?.account === undefined ? undefined : (data.account.timeZone ?? client?.timeZone);
  return (
    <ZoneContext value={zone}>
      {zone !== undefined && zone !== own && (
        <Text size="xs" c="dimmed">
          {t('clocks', { zone, own })}
        </Text>
      )}
      {children}
    </ZoneContext>
  );
}

/** A moment by the account's clock, with the day where that is another one. Nothing where both clocks show the same. */
export function AccountTime({ moment }: { readonly moment: Date }) {
  const format = useFormatter();
  const zone = use(ZoneContext);
  if (zone === undefined) return null;
  const { city } = /(?<city>[^/]+)$/.exec(zone.replaceAll('_', ' '))?.groups ?? {};
  const isSameDay = format.dateTime(moment, 'day', { timeZone: zone }) === format.dateTime(moment, 'day');
  if (isSameDay && format.dateTime(moment, 'hour', { timeZone: zone }) === format.dateTime(moment, 'hour')) return null;
  const there = isSameDay
    ? format.dateTime(moment, 'hour', { timeZone: zone })
    : format.dateTime(moment, 'shortMoment', { timeZone: zone });
  return (
    <Text size="xs" c="dimmed" title={zone} className="laurel-number">
      {there} {city}
    </Text>
  );
}
