import { Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';

/** A form with the fields of a badge. */
type BadgeForm = {
  readonly form: { readonly getInputProps: UseFormReturnType<{ secret: boolean }>['getInputProps'] };
};

/** The inputs of what a badge shows, which may change after its creation. */
export const badgeInputs = { imageUrl: ImageInput, description: DescriptionInput, secret: SecretInput };

/** Whether a text that was entered is no address of a picture; the service has the same rule. */
export function isNoAddress(text: string): boolean {
  return text !== '' && !/^https?:\/\/\S+$/.test(text);
}

function ImageInput({ form: { getInputProps } }: BadgeForm) {
  const t = useTranslations('rewards');
  return <TextInput label={t('image')} placeholder="https://" type="url" {...getInputProps('imageUrl')} />;
}

function DescriptionInput({ form: { getInputProps } }: BadgeForm) {
  const t = useTranslations('rewards');
  return (
    <Textarea
      label={t('badgeText')}
      description={t('badgeTextHint')}
      autosize
      minRows={2}
      {...getInputProps('description')}
    />
  );
}

function SecretInput({ form: { getInputProps } }: BadgeForm) {
  const t = useTranslations('rewards');
  return (
    <Switch
      label={t('secret')}
      description={t('secretHint')}
      mt="lg"
      {...getInputProps('secret', { type: 'checkbox' })}
    />
  );
}
