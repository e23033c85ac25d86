import { Badge, Button, Code } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Activity, Plus } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { EventDefinitionAdminService } from '../../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { EventDefinition_Type } from '../../../../gen/laurel/v1/event_definition_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Page } from '../../shell/page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { EventActions } from './event-actions.tsx';
import { EventForm } from './event-form.tsx';

/** The catalogue of event definitions. */
export function EventList() {
  const t = useTranslations('events');
  const format = useFormatter();
  const [creating, { open, close }] = useDisclosure(false);
  const button = (
    <Button leftSection={<Plus size={16} />} onClick={open}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={button}>
      <DataTable
        id="events"
        label={t('title')}
        method={EventDefinitionAdminService.method.listEventDefinitions}
        rowKey={({ programmaticCode }) => programmaticCode}
        filters={[
          { field: 'programmaticCode', label: t('code') },
          { field: 'name', label: t('name') },
          {
            field: 'type',
            label: t('type'),
            options: (['SINGLE', 'AMOUNT'] as const).map((value) => ({ value, label: t(`types.${value}`) })),
          },
        ]}
        columns={[
          {
            key: 'programmaticCode',
            title: t('code'),
            render: ({ programmaticCode }) => <Code>{programmaticCode}</Code>,
          },
          { key: 'name', title: t('name'), render: ({ name }) => name },
          {
            key: 'type',
            title: t('type'),
            render: ({ type }) => (
              <Badge color={type === EventDefinition_Type.AMOUNT ? 'blue' : 'gray'}>
                {type === EventDefinition_Type.AMOUNT ? t('types.AMOUNT') : t('types.SINGLE')}
              </Badge>
            ),
          },
          { key: 'description', title: t('note'), wideOnly: true, render: ({ description }) => description },
          {
            key: 'createdAt',
            title: t('createdAt'),
            wideOnly: true,
            render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'day'),
          },
        ]}
        rowActions={(definition) => <EventActions definition={definition} />}
        empty={<EmptyState icon={Activity} title={t('empty')} hint={t('emptyHint')} action={button} />}
      />
      {creating && <EventForm onClose={close} />}
    </Page>
  );
}
