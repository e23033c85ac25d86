import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Suspense } from 'react';
import { Link, Outlet } from 'react-router';
import { useTranslations } from 'use-intl';
import { KeyDialogs } from '../palette/key-dialogs.tsx';
import { ClientSwitcher } from './client-switcher.tsx';
import { Logo } from './logo.tsx';
import { Navigation } from './navigation-list.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { SignInNotice } from './sign-in-notice.tsx';
import { UserMenu } from './user-menu.tsx';
import classes from './shell.module.css';

/** The frame around every page: the bar on top, the navigation, and the page. */
export function Shell() {
  const t = useTranslations('shell');
  const [opened, { toggle, close }] = useDisclosure(false);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', md: 'xl' }}
      classNames={{ header: classes['header'], navbar: classes['navbar'] }}
    >
      <a href="#main" className={classes['skip']}>
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
            <Link to="/" className={classes['brand']} onClick={close} aria-label="Laurel">
              <Logo />
              <Text fw={650} fz="md" visibleFrom="xs" component="span">
                Laurel
              </Text>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <KeyDialogs />
            <ClientSwitcher />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={t('navigation')}>
        <AppShell.Section grow component={ScrollArea} type="scroll" p="sm">
          <Navigation onNavigate={close} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes['main']}>
        <SignInNotice />
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}
