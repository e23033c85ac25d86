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
    <SecretOnce
      title={t('passwordTitle', { email: props.email })}
      label={t('password')}
      secret={props.password}
      hint={t('passwordHint')}
      onDone={props.onClose}
    />
  );
}
