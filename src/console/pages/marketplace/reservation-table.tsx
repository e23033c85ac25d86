import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { LockOpen, Timer } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { AccountAdminService } from '../../../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { PublicationAdminService } from '../../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { type Reservation, Reservation_Status } from '../../../../gen/laurel/v1/marketplace_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { ReasonDialog } from '../../form/reason-dialog.tsx';
import { NameLink } from '../../names/name-link.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { enumName } from '../../api/enum-name.ts';
import { useAllowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

const statuses = ['ACTIVE', 'REDEEMED', 'RELEASED', 'EXPIRED'] as const;

/** Units that are or were held back, latest first: of one publication, for one account, or all. */
export function ReservationTable({
  publicationId,
  accountId,
}: {
  readonly publicationId?: string;
  readonly accountId?: string;
}) {
  const t = useTranslations('marketplace');
  const may = useAllowed();
  const format = useFormatter();
  return (
    <DataTable
      id={accountId ? 'account-reservations' : publicationId ? 'publication-reservations' : 'reservations'}
      secondary={publicationId !== undefined || accountId !== undefined}
      label={t('reservations')}
      method={PublicationAdminService.method.listAllReservations}
      where={{ publicationId: publicationId && [publicationId], accountId: accountId && [accountId] }}
      rowKey={({ id }) => id}
      filters={[
        {
          field: 'status',
          options: statuses.map((value) => ({ value, label: t(`reservationStatuses.${value}`) })),
        },
      ]}
      columns={[
        ...(accountId === undefined
          ? [{ key: 'account' as const, render: (row: Reservation) => <NameLink kind="account" id={row.accountId} /> }]
          : []),
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
        may(Permission.SUPPORT_ACCOUNTS) ? (reservation) => <ReservationActions reservation={reservation} /> : undefined
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
  const [isOpen, { open, close }] = useDisclosure(false);
  const { id, quantity, status } = reservation;
  if (status !== Reservation_Status.ACTIVE) return null;
  return (
    <>
      <RowMenu label={t('reservationMenu')}>
        <Menu.Item color="red" leftSection={<LockOpen size={15} />} onClick={open}>
          {t('release')}
        </Menu.Item>
      </RowMenu>
      {isOpen && (
        <ReasonDialog
          method={AccountAdminService.method.releaseReservation}
          input={{ id }}
          title={t('releaseTitle', { count: quantity })}
          hint={t('releaseText')}
          submit={t('release')}
          done={t('released')}
          destructive
          onClose={close}
        />
      )}
    </>
  );
}
