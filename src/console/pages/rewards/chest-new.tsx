import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { ChestAdminService } from '../../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { Page } from '../../shell/page.tsx';
import { ChestEditor } from './chest-editor.tsx';
import { type ChestValues, emptyEntry, requestOf } from './chest-values.ts';
import { useChestCheck } from './use-chest-check.ts';

/** Creates a chest. */
export function ChestNew() {
  const t = useTranslations('rewards');
  const navigate = useNavigate();
  const initialValues: ChestValues = { name: '', entries: [emptyEntry()], nothing: '' };
  const form = useApiForm({
    method: ChestAdminService.method.createChestDefinition,
    initialValues,
    request: requestOf,
    check: useChestCheck(),
    async onDone({ chestDefinition }, { name }) {
      notifyDone(t('chestCreated', { name }));
      await navigate(`/rewards/chests/${chestDefinition?.id ?? ''}`);
    },
  });
  return (
    <Page
      title={t('createChest')}
      description={t('chestHint')}
      back={{ to: '/rewards/chests', label: t('chests') }}
      width={860}
    >
      <ChestEditor form={form} submit={t('submitChest')} onCancel={() => void navigate('/rewards/chests')} />
    </Page>
  );
}
