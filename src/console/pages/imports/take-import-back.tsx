import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Undo2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ImportAdminService } from '../../../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { type Import, Import_Status, Import_Type } from '../../../../gen/laurel/admin/v1/import_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { ReasonDialog } from '../../form/reason-dialog.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { isEnded } from './import-types.ts';

/** Takes all events of an import back that has applied some. */
export function TakeImportBack({ of: shown }: { readonly of: Import }) {
  const t = useTranslations('imports.takeBack');
  const [isOpen, { open, close }] = useDisclosure(false);
  const { id, type, status, dryRun, rowsCreated } = shown;
  const isOver = isEnded(status) && status !== Import_Status.REVERSED;
  if (type !== Import_Type.EVENTS || dryRun === true || !isOver || rowsCreated === 0) return null;
  return (
    <Allowed to={Permission.BACKFILL}>
      <Button variant="default" c="red" leftSection={<Undo2 size={16} />} onClick={open}>
        {t('name')}
      </Button>
      {isOpen && (
        <ReasonDialog
          method={ImportAdminService.method.reverseImport}
          input={{ id }}
          title={t('title')}
          hint={t('hint', { count: rowsCreated })}
          submit={t('name')}
          done={t('done')}
          destructive
          onClose={close}
        />
      )}
    </Allowed>
  );
}
