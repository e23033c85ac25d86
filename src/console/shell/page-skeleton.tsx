import { Card, Group, Skeleton, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** A page that is on its way: heading and a list of the size that most pages have, so that nothing jumps. */
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
