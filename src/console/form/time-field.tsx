import { TextInput, type TextInputProps } from '@mantine/core';

/** A date and time: the browser's own picker, which keyboards, phones and screen readers know. Value `YYYY-MM-DDTHH:MM`, or ''. */
export function TimeField(props: TextInputProps) {
  return <TextInput type="datetime-local" {...props} />;
}
