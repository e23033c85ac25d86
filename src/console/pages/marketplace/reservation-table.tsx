import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useMutation } from '@connectrpc/connect-query';
import { Badge, Menu } from '@mantine/core';
import { LockOpen, Timer } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { PublicationAdminService } from '../../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { type Reservation, Reservation_Status } from '../../../../gen/laurel/v1/marketplace_pb.ts';
import { MarketplaceService } from '../../../../gen/laurel/v1/marketplace_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { NameLink } from '../../names/name-link.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { enumName } from '../../api/enum-name.ts';
import { useMay } from '../../session/may.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

const statuses = ['ACTIVE', 'REDEEMED', 'RELEASED', 'EXPIRED'] as const;

/** Units that are or were held back, latest first: of one publication, or of all. */
export function ReservationTable({ publicationId }: { readonly publicationId?: string }) {
  const t = useTranslations('marketplace');
  const may = useMay();
  const format = useFormatter();
  return (
    <DataTable
      id={publicationId === undefined ? 'reservations' : 'publication-reservations'}
      secondary={publicationId !== undefined}
      label={t('reservations')}
      method={PublicationAdminService.method.listAllReservations}
      where={{ publicationId: publicationId === undefined ? undefined : [publicationId] }}
      rowKey={({ id }) => id}
      filters={[
        {
          field: 'status',
          options: statuses.map((value) => ({ value, label: t(`reservationStatuses.${value}`) })),
        },
      ]}
      columns={[
        { key: 'account', render: ({ accountId }) => <NameLink kind="account" id={accountId} /> },
        ...(publicationId === undefined
          ? [
              {
                key: 'publication' as const,
                render: (row: Reservation) => <NameLink kind="publication" id={row.publicationId} />,
              },
            ]
          : []),
        { key: 'quantity', title: t('units'), align: 'right', render: ({ quantity }) => format.number(quantity) },
        {
          key: 'pointsCost',
          title: t('promisedPrice'),
          align: 'right',
          wideOnly: true,
          render: ({ pointsCost }) => (pointsCost === undefined ? '–' : format.number(pointsCost, 'amount')),
        },
        { key: 'status', render: ({ status }) => <ReservationStatus status={status} /> },
        {
          key: 'expiresAt',
          title: t('expiresAt'),
          render: ({ expiresAt }) => expiresAt && format.dateTime(timestampDate(expiresAt), 'moment'),
        },
        {
          key: 'createdAt',
          title: t('reservedAt'),
          wideOnly: true,
          render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'moment'),
        },
      ]}
      rowActions={
        may(Permission.ACT_FOR_ACCOUNTS) ? (reservation) => <ReservationActions reservation={reservation} /> : undefined
      }
      empty={<EmptyState icon={Timer} title={t('noReservations')} hint={t('noReservationsHint')} />}
    />
  );
}

function ReservationStatus({ status }: { readonly status: Reservation_Status }) {
  const t = useTranslations('marketplace.reservationStatuses');
  const name = enumName(Reservation_Status, status);
  return <Badge color={name === 'ACTIVE' ? 'laurel' : name === 'REDEEMED' ? 'blue' : 'gray'}>{t(name)}</Badge>;
}

function ReservationActions({ reservation }: { readonly reservation: Reservation }) {
  const t = useTranslations('marketplace');
  const confirm = useConfirm();
  const release = useMutation(MarketplaceService.method.unfreezePublication);
  const { id, publicationId, accountId, quantity, status } = reservation;
  if (status !== Reservation_Status.ACTIVE) return null;

  async function askAndRelease(): Promise<void> {
    const question = {
      title: t('releaseTitle', { count: quantity }),
      message: t('releaseText'),
      confirm: t('release'),
    };
    if (!(await confirm(question))) return;
    release.mutate({ publicationId, accountId, reservationId: id }, { onSuccess: () => notifyDone(t('released')) });
  }

  return (
    <RowMenu label={t('reservationMenu')}>
      <Menu.Item color="red" leftSection={<LockOpen size={15} />} onClick={() => void askAndRelease()}>
        {t('release')}
      </Menu.Item>
    </RowMenu>
  );
}
