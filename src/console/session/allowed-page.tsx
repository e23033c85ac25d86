import { Button } from '@mantine/core';
import { Lock } from 'lucide-react';
import type { ComponentType } from 'react';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import type { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { roleName } from '../names/role-name.ts';
import { Page } from '../shell/page.tsx';
import { useAllowed } from './allowed.tsx';
import { useSession } from './session-context.tsx';

/** A page that needs a permission; other users see that their role lacks it. */
export function allowedPage(permission: Permission, Content: ComponentType): ComponentType {
  return function AllowedPage() {
    return useAllowed()(permission) ? <Content /> : <NotAllowed />;
  };
}

function NotAllowed() {
  const t = useTranslations('shell');
  const users = useTranslations('users');
  const { role } = useSession();
  return (
    <Page title={t('notAllowed')}>
      <EmptyState
        icon={Lock}
        hint={t('notAllowedHint', { role: users(`roles.${roleName(role)}`) })}
        action={
          <Button component={Link} to="/">
            {t('toOverview')}
          </Button>
        }
      />
    </Page>
  );
}
