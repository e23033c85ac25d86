import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Leaderboard_Status, LeaderboardRun_Status } from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { enumName } from '../../api/enum-name.ts';

/** The statuses of a leaderboard, in the order of its life. */
export const leaderboardStatuses = ['DRAFT', 'ACTIVE', 'ENDED'] as const;

const colours = { DRAFT: 'gray', ACTIVE: 'laurel', ENDED: 'dark' } as const;

const runColours = { OPEN: 'laurel', CLOSING: 'blue', CLOSED: 'gray', CANCELLED: 'yellow' } as const;

/** The status of a leaderboard, in a word and a colour. */
export function LeaderboardStatus({ status }: { readonly status: Leaderboard_Status }) {
  const t = useTranslations('leaderboards.statuses');
  const name = enumName(Leaderboard_Status, status);
  return (
    <Badge component="span" color={colours[name]}>
      {t(name)}
    </Badge>
  );
}

/** The status of a period of a leaderboard, in a word and a colour. */
export function RunStatus({ status }: { readonly status: LeaderboardRun_Status }) {
  const t = useTranslations('leaderboards.runStatuses');
  const name = enumName(LeaderboardRun_Status, status);
  return <Badge color={runColours[name]}>{t(name)}</Badge>;
}
