import { useQuery } from '@connectrpc/connect-query';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { Anchor, Card, Table, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import type { CallCount } from '../../../../gen/laurel/admin/v1/refused_call_pb.ts';
import { RefusedCallAdminService } from '../../../../gen/laurel/admin/v1/refused_call_admin_service_pb.ts';

/** Rows of the table; the list narrows what is further below. */
const SHOWN = 10;

/** The counts of the days that are shown, the last 24 hours without any; undefined until they are known, empty if they cannot be read. */
export function useCallCounts(days: {
  readonly since?: Timestamp;
  readonly until?: Timestamp;
}): readonly CallCount[] | undefined {
  const { data, isError } = useQuery(RefusedCallAdminService.method.listCallCounts, days, {
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  return data?.rows ?? (isError ? [] : undefined);
}

/** How many calls were refused, by operation and key; a row narrows the list. */
export function CallCounts(props: {
  readonly counts: readonly CallCount[];
  readonly onChoose: (values: { readonly operation: string; readonly key: string }) => void;
}) {
  const t = useTranslations('refusedCalls');
  const format = useFormatter();
  const refused = props.counts.filter((row) => row.refused > 0).slice(0, SHOWN);
  if (refused.length === 0) return null;
  return (
    <Card component="section" aria-label={t('counts')}>
      <Title order={2} size="h4">
        {t('counts')}
      </Title>
      <Text size="xs" c="dimmed" mb="xs">
        {t('countsHint')}
      </Text>
      <Table>
        <Table.Tbody>
          {refused.map(({ operation, credentialId, credentialName, calls, refused: count, refusedShare }) => (
            <Table.Tr key={`${operation} ${credentialId}`}>
              <Table.Td>
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  ta="left"
                  onClick={() => props.onChoose({ operation, key: credentialId })}
                >
                  {operation}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {credentialName ?? t('otherKey')}
                </Text>
              </Table.Td>
              <Table.Td ta="right">
                <Text size="sm" className="laurel-number">
                  {format.number(refusedShare, { style: 'percent', maximumFractionDigits: 1 })}
                </Text>
                <Text size="xs" c="dimmed">
                  {t('of', { refused: count, calls })}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
