import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { Badge as Mark, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { Badge } from '../../../../../gen/laurel/v1/badge_pb.ts';
import { BadgeService } from '../../../../../gen/laurel/v1/badge_service_pb.ts';
import { failureOfQuery } from '../../../api/failure.ts';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { FailureAlert } from '../../../feedback/failure-alert.tsx';
import { BadgeFace } from '../../rewards/badge-face.tsx';
import classes from './badges.module.css';

/** The badges of the client as a wall: those that the account has, and greyed the others, as the account sees them. */
export function BadgesTab({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const query = useQuery(BadgeService.method.listAccountBadges, { accountId });
  const error = failureOfQuery(query);
  if (error !== null) return <FailureAlert error={error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <Skeleton h={180} />;
  const { rows } = query.data;
  if (rows.length === 0) return <EmptyState hint={t('badgesEmpty')} />;
  return (
    <SimpleGrid component="ul" cols={{ base: 2, xs: 3, md: 4, lg: 6 }} spacing="md" m={0} p={0}>
      {rows.map((badge) => (
        <BadgeCard key={badge.rewardId} badge={badge} />
      ))}
    </SimpleGrid>
  );
}

function BadgeCard({ badge }: { readonly badge: Badge }) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  const { name, imageUrl, description, secret, earnedAt, rarity } = badge;
  return (
    <Paper
      component="li"
      withBorder
      radius="lg"
      p="md"
      className={classes['badge']}
      data-missing={earnedAt === undefined || undefined}
    >
      <Stack align="center" gap={6} h="100%">
        <div className={classes['face']}>
          <BadgeFace name={name} imageUrl={imageUrl} size={64} />
        </div>
        <Text fw={600} size="sm" ta="center" className={classes['words']}>
          {name ?? t('badgeSecret')}
        </Text>
        {description !== undefined && (
          <Text size="xs" c="dimmed" ta="center" lineClamp={3} className={classes['words']}>
            {description}
          </Text>
        )}
        {secret && name !== undefined && (
          <Mark size="sm" color="gray">
            {t('badgeWasSecret')}
          </Mark>
        )}
        <Text size="xs" c="dimmed" ta="center" mt="auto">
          {earnedAt === undefined ? t('badgeMissing') : format.dateTime(timestampDate(earnedAt), 'moment')}
        </Text>
        <Text size="xs" c="dimmed" ta="center">
          {rarity === undefined
            ? t('badgeUncounted')
            : t('badgeRarity', {
                percent: format.number(rarity.share, { style: 'percent', maximumFractionDigits: 1 }),
                owners: rarity.owners,
              })}
        </Text>
      </Stack>
    </Paper>
  );
}
