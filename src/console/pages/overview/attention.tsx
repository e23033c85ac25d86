import { Anchor, Badge, Button, Card, Group, List, Skeleton, Text, ThemeIcon, Title } from '@mantine/core';
import { Check, CircleAlert, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { type Cause, Cause_Severity } from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { causeKindName, pathOfCause } from './cause-kinds.ts';
import { mattersOf } from './matters.ts';
import { useCauseWords } from './use-cause-words.ts';

/** Causes that are shown at once; the rest on request, so that the figures stay in sight. */
const SHOWN = 6;

/** The causes that need attention, each with a link to its page. Undefined while they are loading. */
export function Attention({ causes }: { readonly causes: readonly Cause[] | undefined }) {
  const t = useTranslations('overview');
  const [isWhole, setIsWhole] = useState(false);
  const matters = causes && mattersOf(causes);
  const shown = isWhole ? matters : matters?.slice(0, SHOWN);
  const rest = (matters?.length ?? 0) - SHOWN;
  return (
    <Card component="section" aria-labelledby="attention">
      <Group gap="xs" mb="sm">
        <Title order={2} id="attention">
          {t('attention')}
        </Title>
        {matters !== undefined && matters.length > 0 && (
          <Badge variant="light" color="gray" size="lg">
            {matters.length}
          </Badge>
        )}
      </Group>
      {shown === undefined && <Skeleton h={24} w={220} />}
      {shown?.length === 0 && (
        <Group gap="sm" wrap="nowrap">
          <ThemeIcon variant="light" radius="xl" aria-hidden>
            <Check size={16} />
          </ThemeIcon>
          <Text size="sm">
            {t('nothing')}{' '}
            <Text span c="dimmed">
              {t('nothingHint')}
            </Text>
          </Text>
        </Group>
      )}
      {shown !== undefined && shown.length > 0 && (
        <List listStyleType="none" spacing="sm" withPadding={false}>
          {shown.map(([cause, ...others]) => (
            <CauseLine key={cause.key} cause={cause} others={others} />
          ))}
        </List>
      )}
      {rest > 0 && !isWhole && (
        <Button variant="subtle" size="compact-sm" mt="sm" onClick={() => setIsWhole(true)}>
          {t('moreCauses', { count: rest })}
        </Button>
      )}
    </Card>
  );
}

function CauseLine({ cause, others }: { readonly cause: Cause; readonly others: readonly Cause[] }) {
  const t = useTranslations('overview');
  const wordsOf = useCauseWords();
  const { what, more } = wordsOf(cause);
  const isUrgent = cause.severity === Cause_Severity.URGENT;
  const name = isUrgent ? t('urgent') : t('warning');
  return (
    <List.Item
      icon={
        <ThemeIcon variant="light" radius="xl" color={isUrgent ? 'red' : 'yellow'} role="img" aria-label={name}>
          {isUrgent ? <CircleAlert size={16} aria-hidden /> : <TriangleAlert size={16} aria-hidden />}
        </ThemeIcon>
      }
      styles={{ itemWrapper: { alignItems: 'flex-start', display: 'flex' }, itemLabel: { minWidth: 0 } }}
    >
      <Anchor
        component={Link}
        to={pathOfCause[causeKindName(cause.kind)](cause)}
        size="sm"
        style={{ overflowWrap: 'anywhere' }}
      >
        {what}
      </Anchor>
      {more !== '' && (
        <Text size="xs" c="dimmed">
          {more}
        </Text>
      )}
      {others.map((other) => (
        <Text key={other.key} size="xs" c="dimmed">
          <Anchor component={Link} to={pathOfCause[causeKindName(other.kind)](other)} inherit>
            {wordsOf(other).what}
          </Anchor>
        </Text>
      ))}
    </List.Item>
  );
}
