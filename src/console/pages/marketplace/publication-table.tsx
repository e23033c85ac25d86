import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { AgreementAdminService } from '../../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { PublicationAdminService } from '../../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import type { Publication } from '../../../../gen/laurel/v1/marketplace_pb.ts';
import { NameLink } from '../../names/name-link.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { AvailableStock } from './available-stock.tsx';
import { PublicationStatus, publicationStatuses } from './publication-status.tsx';

/** Publications, all of them, those of one agreement or those that sell a product. */
export function PublicationTable(props: {
  readonly agreementId?: string;
  readonly productId?: string;
  readonly empty: ReactNode;
}) {
  const { agreementId, productId, empty } = props;
  if (productId !== undefined) {
    const { listPublications } = PublicationAdminService.method;
    return (
      <Table
        id="product-publications"
        method={listPublications}
        input={{}}
        where={{ productId: [productId] }}
        empty={empty}
      />
    );
  }
  return agreementId === undefined ? (
    <Table id="publications" method={PublicationAdminService.method.listPublications} input={{}} empty={empty} />
  ) : (
    <Table
      id="agreement-publications"
      method={AgreementAdminService.method.listAgreementPublications}
      input={{ agreementId }}
      empty={empty}
    />
  );
}

function Table<Input extends DescMessage, Output extends DescMessage>(props: {
  readonly id: string;
  readonly method: DescMethodUnary<Input, Output>;
  readonly input: MessageInitShape<Input>;
  /** On a page beside other tables. */
  readonly where?: Readonly<Record<string, readonly string[]>>;
  readonly empty: ReactNode;
}) {
  const t = useTranslations('marketplace');
  const format = useFormatter();
  const columns: readonly Column<Publication>[] = [
    { key: 'name', render: ({ name }) => name },
    { key: 'status', render: (publication) => <PublicationStatus publication={publication} /> },
    { key: 'product', render: ({ productId }) => <NameLink kind="product" id={productId} /> },
    {
      key: 'agreement',
      wideOnly: true,
      render: ({ agreementId }) => <NameLink kind="agreement" id={agreementId} />,
    },
    {
      key: 'stock',
      title: t('available'),
      align: 'right',
      render: (publication) => <AvailableStock {...publication} />,
    },
    {
      key: 'pointsCost',
      align: 'right',
      render: ({ pointsCost }) => (pointsCost === undefined ? undefined : format.number(pointsCost, 'amount')),
    },
  ];
  return (
    <DataTable
      id={props.id}
      secondary={props.where !== undefined}
      {...(props.where !== undefined && { where: props.where })}
      label={t('publications')}
      method={props.method}
      input={props.input}
      rowKey={(row) => (row as unknown as Publication).id}
      rowPath={(row) => `/marketplace/publications/${(row as unknown as Publication).id}`}
      filters={[
        {
          field: 'status',
          options: publicationStatuses.map((value) => ({ value, label: t(`statuses.${value}`) })),
        },
      ]}
      // Both methods answer with publications, but the compiler does not see it in their descriptors.
      columns={columns as never}
      empty={props.empty}
    />
  );
}
