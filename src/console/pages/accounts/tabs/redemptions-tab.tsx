import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { Redemption_Source, Redemption_Status } from '../../../../../gen/laurel/v1/redemption_pb.ts';
import { RedemptionService } from '../../../../../gen/laurel/v1/redemption_service_pb.ts';
import { RevealableCodes } from '../../../names/revealable-code.tsx';
import { CancelRedemptionButton } from './row-actions.tsx';
import { TabFrame } from './tab-frame.tsx';
import { enumName } from '../../../api/enum-name.ts';

/** The units of products that the account has taken. */
export function RedemptionsTab({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  return (
    <TabFrame
      method={RedemptionService.method.listRedemptions}
      input={{ accountId }}
      rowsOf={({ redemptions }) => redemptions}
      rowKey={({ id }) => id}
      label={t('tabs.redemptions')}
      emptyHint={t('redemptionsEmpty')}
      rowActions={(redemption) => <CancelRedemptionButton redemption={redemption} />}
      columns={[
        {
          key: 'product',
          render: ({ product }) => product?.name,
          sort: ({ product }) => product?.name ?? '',
        },
        {
          key: 'source',
          title: t('source'),
          render: ({ source }) => t(`sources.${enumName(Redemption_Source, source)}`),
          sort: ({ source }) => source,
        },
        { key: 'quantity', title: t('quantity'), align: 'right', render: ({ quantity }) => format.number(quantity) },
        {
          key: 'points',
          title: t('pointsSpent'),
          align: 'right',
          render: ({ pointsSpent }) => format.number(pointsSpent, 'amount'),
        },
        {
          key: 'codes',
          render: ({ redeemables }) => <RevealableCodes codes={redeemables} />,
        },
        {
          key: 'status',
          render: ({ status }) =>
            status === Redemption_Status.CANCELLED ? (
              <Badge color="gray">{t('cancelled')}</Badge>
            ) : (
              <Badge>{t('taken')}</Badge>
            ),
        },
        {
          key: 'createdAt',
          title: t('at'),
          render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'moment'),
        },
      ]}
    />
  );
}
