import { TextInput, type TextInputProps } from '@mantine/core';
import { useShownTime } from './shown-time.tsx';

/** A date and time: the browser's own picker, which keyboards, phones and screen readers know. Value `YYYY-MM-DDTHH:MM`, or ''. */
export function TimeField(props: TextInputProps) {
  const shown = useShownTime(props.value ?? props.defaultValue);
  return <TextInput type="datetime-local" inputContainer={shown} {...props} />;
}

/** A day: the same for a date alone. Value `YYYY-MM-DD`, or ''. */
export function DayField(props: TextInputProps) {
  const shown = useShownTime(props.value ?? props.defaultValue);
  return <TextInput type="date" inputContainer={shown} {...props} />;
}
