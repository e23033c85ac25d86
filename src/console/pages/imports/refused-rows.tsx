import { useQuery } from '@connectrpc/connect-query';
import { Card, Stack, Table, Text, Title } from '@mantine/core';
import { Fragment } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { ImportAdminService } from '../../../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { useServiceWords } from '../../language/use-service-words.ts';

/** Why rows of an import that has ended had no effect: the first rows of each reason. The file of refused rows names all. */
export function RefusedRows({ importId, keyName }: { readonly importId: string; readonly keyName: string }) {
  const t = useTranslations('imports');
  const format = useFormatter();
  const words = useServiceWords();
  const query = useQuery(ImportAdminService.method.summarizeRefusals, { id: importId });
  const failure = failureOfQuery(query);
  if (failure !== null) return <FailureAlert error={failure} retry={() => void query.refetch()} />;
  // Reasons are deleted after some time; the number of refused rows stays.
  if (query.data === undefined || query.data.rows.length === 0) return null;
  return (
    <Card component="section" aria-labelledby="refused" p={0}>
      <Stack gap={4} p="lg">
        <Title order={2} id="refused">
          {t('whyRefused')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('refusedHint')}
        </Text>
      </Stack>
      <Table aria-labelledby="refused" verticalSpacing="xs" layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={80} ta="right">
              {t('line')}
            </Table.Th>
            <Table.Th w="28%">{keyName}</Table.Th>
            <Table.Th>{t('why')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {query.data.rows.map(({ count, first }) => (
            <Fragment key={first[0]?.line}>
              {first.map(({ line, key, message, metadata }) => (
                <Table.Tr key={line}>
                  <Table.Td ta="right" className="laurel-number">
                    {format.number(line)}
                  </Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{key === '' ? '–' : key}</Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{words({ message, metadata })}</Table.Td>
                </Table.Tr>
              ))}
              {count > first.length && (
                <Table.Tr>
                  <Table.Td />
                  <Table.Td colSpan={2} c="dimmed">
                    {t('refusedMore', { count: count - first.length })}
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
