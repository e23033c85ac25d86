import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge, Stack, Title } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { ChestService } from '../../../../../gen/laurel/v1/chest_service_pb.ts';
import { ProgressCell } from './assignment-columns.tsx';
import { OpenChestButton } from './row-actions.tsx';
import { TabFrame } from './tab-frame.tsx';

/** The account's chests and the pieces of products that it has gathered. */
export function ChestsTab({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  return (
    <Stack gap="md">
      <Title order={2}>{t('chests')}</Title>
      <TabFrame
        method={ChestService.method.listChests}
        input={{ accountId }}
        rowsOf={({ chests }) => chests}
        rowKey={({ id }) => id}
        label={t('chests')}
        emptyHint={t('chestsEmpty')}
        rowActions={(chest) => <OpenChestButton chest={chest} />}
        columns={[
          { key: 'name', title: t('chest'), render: ({ name }) => name, sort: ({ name }) => name },
          {
            key: 'createdAt',
            title: t('earnedAt'),
            render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'moment'),
          },
          {
            key: 'openedAt',
            title: t('openedAt'),
            render: ({ openedAt }) =>
              openedAt ? (
                format.dateTime(timestampDate(openedAt), 'moment')
              ) : (
                <Badge color="yellow">{t('unopened')}</Badge>
              ),
          },
        ]}
      />
      <Title order={2} mt="md">
        {t('fragments')}
      </Title>
      <TabFrame
        method={ChestService.method.listFragments}
        input={{ accountId }}
        rowsOf={({ fragments }) => fragments}
        rowKey={({ productId }) => productId}
        label={t('fragments')}
        emptyHint={t('fragmentsEmpty')}
        columns={[
          { key: 'product', render: ({ productName }) => productName },
          {
            key: 'pieces',
            title: t('pieces'),
            render: ({ pieces, piecesRequired }) => <ProgressCell progress={pieces} target={piecesRequired} />,
          },
          {
            key: 'waiting',
            title: t('waitingPieces'),
            align: 'right',
            render: ({ waitingPieces }) => (waitingPieces === undefined ? '–' : format.number(waitingPieces)),
          },
        ]}
      />
    </Stack>
  );
}
