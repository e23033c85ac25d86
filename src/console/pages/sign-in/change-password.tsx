import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { PasswordFields } from './password-fields.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** Before anything else: a password that an administrator made is replaced by the person's own. */
export function ChangePassword() {
  const t = useTranslations('signIn');
  const navigate = useNavigate();
  return (
    <SignInFrame title={t('changeTitle')} hint={t('changeHint')}>
      <PasswordFields onDone={() => void navigate('/', { replace: true })} />
    </SignInFrame>
  );
}
