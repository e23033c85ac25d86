import { AppShell } from '@mantine/core';
import { PageSkeleton } from './page-skeleton.tsx';
import classes from './shell.module.css';

/** The placeholder of the frame before the session is known, of the same size. */
export function ShellSkeleton() {
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding={{ base: 'md', md: 'xl' }}
      classNames={{ header: classes['header'], navbar: classes['navbar'] }}
    >
      <AppShell.Header />
      <AppShell.Navbar />
      <AppShell.Main>
        <PageSkeleton />
      </AppShell.Main>
    </AppShell>
  );
}
