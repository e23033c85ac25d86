import { useQuery } from '@connectrpc/connect-query';
import { SimpleGrid, Skeleton, Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { Page } from '../../shell/page.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { WaitingTable } from './waiting-table.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { webhookMethods, webhookTypes } from './webhook-methods.ts';

/** The webhooks, and below them what was sent and what waits. */
export function Webhooks() {
  const t = useTranslations('webhooks');
  const [params, setParams] = useSearchParams();
  const answered = useAllAnswered();
  const tab = params.get('tab') === 'waiting' ? 'waiting' : 'log';
  return (
    <Page title={t('title')} description={t('description')}>
      {answered ? <Cards /> : <Skeleton h={760} />}
      {answered && (
        <Tabs
          value={tab}
          onChange={(value) => setParams(value === 'waiting' ? { tab: value } : {}, { preventScrollReset: true })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="log">{t('log')}</Tabs.Tab>
            <Tabs.Tab value="waiting">{t('waiting')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="log">
            <DeliveryTable />
          </Tabs.Panel>
          <Tabs.Panel value="waiting">
            <WaitingTable />
          </Tabs.Panel>
        </Tabs>
      )}
    </Page>
  );
}

/** Each webhook, two beside each other where there is room. */
function Cards() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      {webhookTypes.map((type) => (
        <WebhookCard key={type} type={type} />
      ))}
    </SimpleGrid>
  );
}

/** Whether it is known of each webhook how it is set up: how high its card is depends on it, and what stands below must not jump. */
function useAllAnswered(): boolean {
  const rewards = useQuery(webhookMethods.REWARDS.get, {});
  const publications = useQuery(webhookMethods.PUBLICATION_STATUS.get, {});
  const missions = useQuery(webhookMethods.MISSION_COMPLETED.get, {});
  const stock = useQuery(webhookMethods.STOCK_LOW.get, {});
  return [rewards, publications, missions, stock].every(({ isFetched }) => isFetched);
}
