import { Anchor, Card, List, Text, ThemeIcon, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';

const steps = [
  ['events', '/events'],
  ['rewards', '/rewards'],
  ['audiences', '/audiences'],
  ['campaigns', '/campaigns/new'],
  ['simulator', '/simulator'],
] as const;

/** The way to the first active campaign, for a client that has none. */
export function FirstSteps() {
  const t = useTranslations('overview');
  return (
    <Card component="section">
      <Title order={2}>{t('firstSteps')}</Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('firstStepsHint')}
      </Text>
      <List spacing="xs" size="sm" type="ordered" listStyleType="none" withPadding={false}>
        {steps.map(([step, path], index) => (
          <List.Item
            key={step}
            icon={
              <ThemeIcon size={24} radius="xl" variant="light" fz="xs" fw={650}>
                {index + 1}
              </ThemeIcon>
            }
          >
            <Anchor component={Link} to={path} size="sm">
              {t(`steps.${step}`)}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Card>
  );
}
