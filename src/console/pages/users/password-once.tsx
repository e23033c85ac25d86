import { Modal } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { SecretOnce } from '../../feedback/secret-once.tsx';

/** Shows a one-time password, this once. */
export function PasswordOnce(props: {
  readonly email: string;
  readonly password: string;
  readonly onClose: () => void;
}) {
  const t = useTranslations('users');
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('passwordTitle', { email: props.email })}
      size="lg"
      closeOnClickOutside={false}
    >
      <SecretOnce label={t('password')} secret={props.password} hint={t('passwordHint')} onDone={props.onClose} />
    </Modal>
  );
}
