import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { Anchor, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { AudienceAdminService } from '../../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { CampaignAdminService } from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import type { Account } from '../../../../gen/laurel/v1/account_pb.ts';
import type { AttributeDefinition } from '../../../../gen/laurel/v1/attribute_pb.ts';
import { LoyaltyService } from '../../../../gen/laurel/v1/loyalty_service_pb.ts';
import { useValueWords } from '../../attributes/attribute-values.tsx';
import { failureOfQuery } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { Figure } from '../../shell/figure.tsx';
import { Facts } from '../../shell/facts.tsx';

/** The identity of an account, its points, and its attributes. */
export function AccountFacts({
  account,
  declared,
}: {
  readonly account: Account;
  readonly declared: readonly AttributeDefinition[];
}) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  const wordsOf = useValueWords();
  return (
    <Card>
      <Stack gap="lg">
        <Points accountId={account.id} />
        <Facts
          facts={[
            [t('externalId'), account.externalId],
            [t('email'), account.email],
            [t('name'), account.name],
            [t('timeZone'), account.timeZone ?? t('ofClient')],
            ...(account.suspendedAt === undefined
              ? []
              : [[t('suspendedAt'), format.dateTime(timestampDate(account.suspendedAt), 'moment')] as const]),
            [t('createdAt'), account.createdAt && format.dateTime(timestampDate(account.createdAt), 'moment')],
          ]}
        />
        <Audiences accountId={account.id} />
        <ControlGroups accountId={account.id} />
        {declared.length > 0 && (
          <Stack component="section" gap="sm">
            <Title order={2} size="sm">
              {t('attributes')}
            </Title>
            <Facts
              facts={declared.map(({ name }) => {
                const value = account.attributes?.[name];
                return [name, value === undefined ? undefined : wordsOf(value)];
              })}
            />
          </Stack>
        )}
      </Stack>
    </Card>
  );
}

/** The audiences that the account is in, also by a rule or because everyone is. */
function Audiences({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const query = useQuery(AudienceAdminService.method.listAccountAudiences, { accountId });
  const failure = failureOfQuery(query);
  if (failure !== null) return <FailureAlert error={failure} retry={() => void query.refetch()} />;
  return (
    <Stack component="section" gap={4} aria-label={t('audiences')}>
      <Text size="xs" c="dimmed">
        {t('audiences')}
      </Text>
      {query.data === undefined && <Skeleton h={20} w={240} />}
      {query.data?.audiences.length === 0 && <Text size="sm">–</Text>}
      <Group gap="2px 16px">
        {query.data?.audiences.map(({ id, name }) => (
          <Anchor key={id} component={Link} to={`/audiences/${id}`} size="sm">
            {name}
          </Anchor>
        ))}
      </Group>
    </Stack>
  );
}

/** The campaigns that hold the account back; nothing if none does. */
function ControlGroups({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const query = useQuery(CampaignAdminService.method.listControlGroups, { accountId });
  const failure = failureOfQuery(query);
  if (failure !== null) return <FailureAlert error={failure} retry={() => void query.refetch()} />;
  if (query.data === undefined || query.data.rows.length === 0) return null;
  return (
    <Stack component="section" gap={4} aria-label={t('controlGroups')}>
      <Text size="xs" c="dimmed">
        {t('controlGroups')}
      </Text>
      <Group gap="2px 16px">
        {query.data.rows.map(({ campaignId, campaignName }) => (
          <Anchor key={campaignId} component={Link} to={`/campaigns/${campaignId}`} size="sm">
            {campaignName}
          </Anchor>
        ))}
      </Group>
    </Stack>
  );
}

function Points({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  const query = useQuery(LoyaltyService.method.getPoints, { id: accountId });
  const points = query.data?.points;
  const failure = failureOfQuery(query);
  if (failure !== null) return <FailureAlert error={failure} retry={() => void query.refetch()} />;
  if (points === undefined) return <Skeleton h={58} w={300} />;
  const { nextExpiration, debt } = points;
  const figures = [
    [t('available'), points.available],
    [t('pending'), points.pending],
    [t('spent'), points.spent],
    [t('lifetime'), points.lifetimeEarned],
  ] as const;
  return (
    <div>
      <SimpleGrid cols={{ base: 2, xs: 4 }} maw={560}>
        {figures.map(([name, figure]) => (
          <div key={name}>
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            <Figure>{format.number(figure, 'amount')}</Figure>
          </div>
        ))}
      </SimpleGrid>
      {debt !== undefined && (
        <Text size="xs" c="red" mt={4}>
          {t('debt', { amount: debt })}
        </Text>
      )}
      {nextExpiration?.at && (
        <Text size="xs" c="dimmed" mt={4}>
          {t('nextExpiration', {
            amount: nextExpiration.amount,
            at: format.dateTime(timestampDate(nextExpiration.at), 'day'),
          })}
        </Text>
      )}
    </div>
  );
}
