import { Button, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Tags } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  AccountAttributeAdminService,
  type AccountAttributes as Declared,
} from '../../../../gen/laurel/admin/v1/account_attribute_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import {
  type AttributeEntry,
  entriesOf,
  sentAttributes,
  useAttributeCheck,
} from '../../attributes/attribute-entries.ts';
import { AttributeFields } from '../../attributes/attribute-fields.tsx';
import { AttributeList } from '../../attributes/attribute-list.tsx';
import { useAccountAttributes } from '../../attributes/use-account-attributes.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { useAllowed } from '../../session/allowed.tsx';

/** The button that opens the declared attributes of accounts: to change them, or to read them without that permission. */
export function AccountAttributes() {
  const t = useTranslations('accounts');
  const [opened, { open, close }] = useDisclosure(false);
  const declared = useAccountAttributes();
  const mayChange = useAllowed()(Permission.KEEP_CAMPAIGNS);
  return (
    <>
      <Button variant="default" leftSection={<Tags size={16} />} onClick={open} disabled={declared === undefined}>
        {t('attributes')}
      </Button>
      {opened && declared && mayChange && <AttributesForm declared={declared} onClose={close} />}
      {opened && declared && !mayChange && <Attributes declared={declared} onClose={close} />}
    </>
  );
}

type DialogProps = { readonly declared: Declared; readonly onClose: () => void };

function AttributesForm({ declared, onClose }: DialogProps) {
  const t = useTranslations('accounts');
  const form$ = useTranslations('form');
  const checkAttributes = useAttributeCheck();
  // Saving compares with the version read when the dialog opened.
  const [{ version, attributes }] = useState(declared);
  const form = useApiForm({
    method: AccountAttributeAdminService.method.updateAccountAttributes,
    initialValues: { attributes: entriesOf(attributes) },
    request: (values: { attributes: AttributeEntry[] }) => ({ version, attributes: sentAttributes(values.attributes) }),
    check: (values) => checkAttributes(values.attributes),
    onDone() {
      notifyDone(t('attributesSaved'));
      onClose();
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={t('attributesOf')} size="xl">
      <ApiForm form={form} submit={form$('save')} onCancel={onClose}>
        <AttributeFields form={form.form} holder="account" />
      </ApiForm>
    </FormDialog>
  );
}

function Attributes({ declared: { attributes }, onClose }: DialogProps) {
  const t = useTranslations('accounts');
  const form = useTranslations('form');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('attributesOf')}
      size="lg"
      closeButtonProps={{ 'aria-label': form('close') }}
    >
      {attributes.length === 0 ? (
        <Text c="dimmed">{t('attributesNone')}</Text>
      ) : (
        <AttributeList attributes={attributes} />
      )}
    </Modal>
  );
}
