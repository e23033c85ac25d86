import { useQuery } from '@connectrpc/connect-query';
import { Button, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Ban, FlaskConical, Scale } from 'lucide-react';
import { Link, useParams, useSearchParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { AccountService } from '../../../../gen/laurel/v1/account_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { useDeclaredAttributes } from '../../attributes/use-account-attributes.ts';
import { ActionRow } from '../../shell/action-row.tsx';
import { Page } from '../../shell/page.tsx';
import { PageFailure } from '../../shell/page-failure.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { showInRow } from '../../shell/show-in-row.ts';
import classes from './accounts.module.css';
import { AccountActions } from './account-actions.tsx';
import { AccountFacts } from './account-facts.tsx';
import { AdjustPoints } from './adjust-points.tsx';
import { BadgesTab } from './tabs/badges-tab.tsx';
import { ChestsTab } from './tabs/chests-tab.tsx';
import { FeedTab } from './tabs/feed-tab.tsx';
import { HappenedTab } from '../timeline/happened-tab.tsx';
import { MergesTab } from './tabs/merges-tab.tsx';
import { PointsTab } from './tabs/points-tab.tsx';
import { ProgressTab } from './tabs/progress-tab.tsx';
import { RedemptionsTab } from './tabs/redemptions-tab.tsx';
import { ReservationsTab } from './tabs/reservations-tab.tsx';
import { LevelsTab } from './tabs/levels-tab.tsx';
import { StatisticsTab } from './tabs/statistics-tab.tsx';
import { RewardsTab } from './tabs/rewards-tab.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

const tabs = {
  happened: HappenedTab,
  feed: FeedTab,
  progress: ProgressTab,
  rewards: RewardsTab,
  badges: BadgesTab,
  points: PointsTab,
  statistics: StatisticsTab,
  levels: LevelsTab,
  redemptions: RedemptionsTab,
  reservations: ReservationsTab,
  chests: ChestsTab,
  merges: MergesTab,
} as const;

type TabName = keyof typeof tabs;

/** Everything about one account. */
export function AccountPage() {
  const t = useTranslations('accounts');
  const { id = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const [adjusting, { open, close }] = useDisclosure(false);
  const read = useQuery(AccountService.method.getAccount, { id });
  const { data, refetch } = read;
  const error = failureOfQuery(read);
  const account = data?.account;
  const declared = useDeclaredAttributes();
  const back = { to: '/accounts', label: t('title') };
  if (error !== null) {
    return <PageFailure title={t('title')} back={back} error={error} retry={() => void refetch()} />;
  }
  if (account === undefined || declared === undefined) return <PageSkeleton />;

  const name = account.name ?? account.externalId ?? account.id;
  const asked = query.get('tab') ?? '';
  const tab: TabName = asked in tabs ? (asked as TabName) : 'happened';
  return (
    <Page
      title={name}
      id={account.id}
      back={back}
      actions={
        <ActionRow
          main={
            <Allowed to={Permission.SUPPORT_ACCOUNTS}>
              <Button leftSection={<Scale size={16} />} onClick={open}>
                {t('adjust')}
              </Button>
            </Allowed>
          }
        >
          <Button
            component={Link}
            to={`/simulator?account=${id}`}
            variant="default"
            leftSection={<FlaskConical size={16} />}
          >
            {t('simulate')}
          </Button>
          <Button
            component={Link}
            to={`/refused-calls?account=${id}`}
            variant="default"
            leftSection={<Ban size={16} />}
          >
            {t('refusedCalls')}
          </Button>
          <Allowed to={Permission.SUPPORT_ACCOUNTS}>
            <AccountActions account={account} />
          </Allowed>
        </ActionRow>
      }
    >
      <AccountFacts account={account} declared={declared} />
      <Tabs
        value={tab}
        onChange={(value) => setQuery(value === 'happened' ? {} : { tab: value ?? '' }, { replace: true })}
        keepMounted={false}
      >
        <Tabs.List mb="lg" className={classes['tabs']}>
          {Object.keys(tabs).map((name) => (
            <Tabs.Tab key={name} value={name} ref={name === tab ? showInRow : undefined}>
              {t(`tabs.${name as TabName}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(tabs).map(([name, Content]) => (
          <Tabs.Panel key={name} value={name}>
            <Content accountId={id} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {adjusting && <AdjustPoints accountId={id} onClose={close} />}
    </Page>
  );
}
