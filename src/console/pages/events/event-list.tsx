import { Badge, Code } from '@mantine/core';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Activity } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { EventDefinitionAdminService } from '../../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { EventDefinition_Type } from '../../../../gen/laurel/v1/event_definition_pb.ts';
import { AttributesCell } from '../../attributes/attributes-cell.tsx';
import { ListPage } from '../../shell/list-page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { EventActions } from './event-actions.tsx';
import { EventForm } from './event-form.tsx';
import { useAllowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The catalogue of event definitions. */
export function EventList() {
  const t = useTranslations('events');
  const attributes$ = useTranslations('attributes');
  const may = useAllowed();
  const format = useFormatter();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      create={t('create')}
      needs={Permission.KEEP_CAMPAIGNS}
      form={EventForm}
      empty={{ icon: Activity, title: t('empty'), hint: t('emptyHint') }}
      list={(empty) => (
        <DataTable
          id="events"
          label={t('title')}
          method={EventDefinitionAdminService.method.listEventDefinitions}
          rowKey={({ programmaticCode }) => programmaticCode}
          filters={[
            {
              field: 'type',
              options: (['SINGLE', 'AMOUNT'] as const).map((value) => ({ value, label: t(`types.${value}`) })),
            },
          ]}
          columns={[
            {
              key: 'programmaticCode',
              render: ({ programmaticCode }) => <Code>{programmaticCode}</Code>,
            },
            { key: 'name', render: ({ name }) => name },
            {
              key: 'type',
              render: ({ type }) => (
                <Badge color={type === EventDefinition_Type.AMOUNT ? 'blue' : 'gray'}>
                  {type === EventDefinition_Type.AMOUNT ? t('types.AMOUNT') : t('types.SINGLE')}
                </Badge>
              ),
            },
            {
              key: 'attributes',
              title: attributes$('title'),
              render: ({ attributes, programmaticCode: code }) =>
                attributes.length > 0 && <AttributesCell attributes={attributes} title={attributes$('of', { code })} />,
            },
            { key: 'description', wideOnly: true, render: ({ description }) => description },
            {
              key: 'createdAt',
              wideOnly: true,
              render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'day'),
            },
          ]}
          rowActions={
            may(Permission.KEEP_CAMPAIGNS) ? (definition) => <EventActions definition={definition} /> : undefined
          }
          empty={empty}
        />
      )}
    />
  );
}
