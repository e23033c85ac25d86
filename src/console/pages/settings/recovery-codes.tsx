import { useTranslations } from 'use-intl';
import { SecretOnce } from '../../feedback/secret-once.tsx';

/** The recovery codes of a second factor that has just been set up: they are shown once. */
export function RecoveryCodes(props: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const t = useTranslations('secondFactor');
  return (
    <SecretOnce
      title={t('codesTitle')}
      label={t('codes')}
      secret={props.codes.join('\n')}
      hint={t('codesHint')}
      onDone={props.onDone}
    />
  );
}
