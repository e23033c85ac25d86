import { Card, Group, Skeleton, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** The placeholder of a loading page: a heading and a list of the usual size, so that the layout does not jump. */
export function PageSkeleton() {
  const t = useTranslations('shell');
  return (
    <Stack gap="lg" role="status" aria-label={t('loading')}>
      <Group justify="space-between">
        <Stack gap={8}>
          <Skeleton h={26} w={200} />
          <Skeleton h={14} w={320} maw="60vw" />
        </Stack>
        <Skeleton h={36} w={130} visibleFrom="xs" />
      </Group>
      <Card p={0}>
        <Stack gap="md" p="lg">
          {Array.from({ length: 8 }, (_, index) => (
            <Skeleton key={index} h={22} />
          ))}
        </Stack>
      </Card>
    </Stack>
  );
}
