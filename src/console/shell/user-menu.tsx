import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { LogOut, Moon, Settings, ShieldCheck, Sun, SunMoon, User } from 'lucide-react';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { notifyFailure } from '../feedback/notify.tsx';
import { askToLeave, unsavedWork } from '../form/unsaved-work.ts';
import { useSession, useSessionKeeper } from '../session/session-context.tsx';

/** The signed-in user, the colour scheme, the settings, and the sign-out. */
export function UserMenu() {
  const t = useTranslations('shell');
  const { user } = useSession();
  const keeper = useSessionKeeper();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = { auto: 'light', light: 'dark', dark: 'auto' } as const;
  const SchemeIcon = { auto: SunMoon, light: Sun, dark: Moon }[colorScheme];

  async function signOut(): Promise<void> {
    if (!(await askToLeave(unsavedWork()))) return;
    try {
      await keeper.signOut();
    } catch (error) {
      notifyFailure(error);
    }
  }

  return (
    <Menu position="bottom-end" width={240} shadow="md">
      <Menu.Target>
        <ActionIcon variant="default" size={36} radius="xl" aria-label={t('userMenu')}>
          <User size={18} strokeWidth={1.8} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {user?.name === '' ? user.email : user?.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {user?.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item
          closeMenuOnClick={false}
          leftSection={<SchemeIcon size={16} />}
          onClick={() => setColorScheme(next[colorScheme])}
        >
          {t(`scheme.${colorScheme}`)}
        </Menu.Item>
        <Menu.Item leftSection={<Settings size={16} />} component={Link} to="/settings">
          {t('settings')}
        </Menu.Item>
        <Menu.Item leftSection={<ShieldCheck size={16} />} component={Link} to="/settings#security">
          {t('security')}
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={16} />} onClick={() => void signOut()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
