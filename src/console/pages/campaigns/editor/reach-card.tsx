import { Alert, Card, Stack, Text, Title } from '@mantine/core';
import { Check, TriangleAlert } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import type { CampaignValues } from './campaign-values.ts';
import { useReach } from './use-reach.ts';

/** Compares the possible rewards of a draft campaign with the stock. */
export function ReachCard({ values }: { readonly values: CampaignValues }) {
  const t = useTranslations('campaigns.reach');
  const format = useFormatter();
  const reach = useReach(values);
  if (reach === undefined) return null;
  const { members, stocks } = reach;
  return (
    <Card component="section" aria-live="polite">
      <Title order={2}>{t('title')}</Title>
      <Text size="sm" c="dimmed" mb={stocks.length > 0 ? 'sm' : 0}>
        {t('members', { count: members })}
      </Text>
      <Stack gap="xs">
        {stocks.map(({ productId, productName, free, needed }) => {
          const enough = needed <= free;
          return (
            <Alert
              key={productId}
              p="xs"
              color={enough ? 'laurel' : 'yellow'}
              icon={enough ? <Check size={16} aria-hidden /> : <TriangleAlert size={16} aria-hidden />}
              title={productName}
            >
              {t(enough ? 'enough' : 'short', {
                needed: format.number(needed),
                free: format.number(free),
                units: free,
              })}
            </Alert>
          );
        })}
      </Stack>
    </Card>
  );
}
