import { Card, Input, SegmentedControl, Select, Stack, Text, Title, useMantineColorScheme } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router';
import { useTranslations } from 'use-intl';
import { notifyFailure } from '../../feedback/notify.tsx';
import { type Language, languages, setPreferences, usePreferences } from '../../language/preferences.ts';
import { loadTexts } from '../../language/texts.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { Allowed } from '../../session/allowed.tsx';
import { useSession } from '../../session/session-context.tsx';
import { Facts } from '../../shell/facts.tsx';
import { Page } from '../../shell/page.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { RequiredFactor } from './required-factor.tsx';
import { SecondFactor } from './second-factor.tsx';
import { PasswordFields } from '../sign-in/password-fields.tsx';
import { roleName } from '../../names/role-name.ts';

/** A person's own settings: profile, display, password, second factor, sessions. */
export function Settings() {
  const t = useTranslations('settings');
  const sessions = useTranslations('sessions');
  const factor = useTranslations('secondFactor');
  const { hash } = useLocation();
  useEffect(() => document.getElementById(hash.slice(1))?.scrollIntoView(), [hash]);
  return (
    <Page title={t('title')} description={t('description')} width={720}>
      <Section title={t('profile')}>
        <Profile />
      </Section>
      <Section title={t('display')} hint={t('displayHint')}>
        <Display />
      </Section>
      <Section title={t('password')} hint={t('passwordHint')}>
        <PasswordFields />
      </Section>
      <Section id="security" title={factor('title')} hint={factor('hint')}>
        <SecondFactor />
        <Allowed to={Permission.KEEP_CLIENT}>
          <RequiredFactor />
        </Allowed>
      </Section>
      <Section title={sessions('title')} hint={sessions('hint')}>
        <OwnSessions />
      </Section>
    </Page>
  );
}

function Section(props: {
  /** The fragments of addresses of this page. */
  readonly id?: string;
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}) {
  return (
    <Card component="section" id={props.id} style={{ scrollMarginTop: 80 }}>
      <Title order={2}>{props.title}</Title>
      {props.hint !== undefined && (
        <Text size="sm" c="dimmed">
          {props.hint}
        </Text>
      )}
      <Stack gap="md" mt="md">
        {props.children}
      </Stack>
    </Card>
  );
}

function Profile() {
  const t = useTranslations('settings');
  const users = useTranslations('users');
  const { user, role, client } = useSession();
  return (
    <Facts
      facts={[
        [t('name'), user?.name],
        [t('email'), user?.email],
        [t('role'), users(`roles.${roleName(role)}`)],
        [t('client'), client?.name],
        [t('clientZone'), client?.timeZone],
      ]}
    />
  );
}

function Display() {
  const t = useTranslations('settings');
  const { language, timeZone } = usePreferences();
  const { colorScheme, setColorScheme } = useMantineColorScheme();

  async function speak(value: string | null): Promise<void> {
    const chosen = (value ?? language) as Language;
    try {
      await loadTexts(chosen);
      setPreferences({ language: chosen });
    } catch (error) {
      notifyFailure(error);
    }
  }

  return (
    <>
      <Select
        label={t('language')}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        value={language}
        allowDeselect={false}
        onChange={(value) => void speak(value)}
      />
      <div>
        <Input.Label component="div" id="settings-scheme" mb={4}>
          {t('scheme')}
        </Input.Label>
        <SegmentedControl
          aria-labelledby="settings-scheme"
          data={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t(`schemes.${value}`) }))}
          value={colorScheme}
          onChange={setColorScheme}
        />
      </div>
      <Select
        label={t('timeZone')}
        description={t('timeZoneHint')}
        data={zonesWith(timeZone)}
        searchable
        limit={100}
        allowDeselect={false}
        value={timeZone}
        onChange={(value) => setPreferences({ timeZone: value ?? timeZone })}
      />
    </>
  );
}

/** The browser's list leaves out UTC and other names of zones that may be chosen nevertheless. */
function zonesWith(chosen: string): string[] {
  return [...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])];
}
