import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import type { LeaderboardDefinition } from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import type { LeaderboardEntry } from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { RowsTable } from '../../table/rows-table.tsx';

/** Entries of a leaderboard, with what it shows of an account. */
export function RankTable(props: {
  readonly label: string;
  readonly board: LeaderboardDefinition;
  /** Undefined while they are on their way. */
  readonly entries: readonly LeaderboardEntry[] | undefined;
  /** The content without entries. */
  readonly empty: ReactNode;
  /** False if other entries are on other pages. */
  readonly isWhole?: boolean;
  /** The content below the entries. */
  readonly footer?: ReactNode;
}) {
  const t = useTranslations('leaderboards');
  const format = useFormatter();
  return (
    <RowsTable
      label={props.label}
      rows={props.entries}
      rowKey={({ accountId = '' }) => accountId}
      columns={[
        { key: 'rank', title: t('rank'), width: 90, render: ({ rank }) => format.number(rank) },
        ...(props.board.displayNameAttribute === undefined
          ? []
          : [{ key: 'displayName', title: t('shownName'), render: nameOf } as const]),
        { key: 'account', render: (entry) => <AccountLink entry={entry} />, sort: accountOf },
        { key: 'value', title: t('value'), align: 'right', render: ({ value }) => format.number(value, 'amount') },
        {
          key: 'reachedAt',
          title: t('reachedAt'),
          wideOnly: true,
          render: ({ reachedAt }) => reachedAt && format.dateTime(timestampDate(reachedAt), 'moment'),
          sort: ({ reachedAt }) => Number(reachedAt?.seconds ?? 0),
        },
      ]}
      empty={props.empty}
      isWhole={props.isWhole ?? true}
      footer={props.footer}
    />
  );
}

/** The account of an entry, by the id that the client's platform knows. */
export function AccountLink({ entry }: { readonly entry: LeaderboardEntry }) {
  return (
    <Anchor component={Link} to={`/accounts/${entry.accountId ?? ''}`} inherit>
      {accountOf(entry)}
    </Anchor>
  );
}

function accountOf({ externalId, accountId = '' }: LeaderboardEntry): string {
  return externalId ?? accountId;
}

function nameOf({ displayName }: LeaderboardEntry): string {
  return displayName ?? '–';
}
