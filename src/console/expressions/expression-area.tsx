import { Stack, Textarea, type TextareaProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type Ref, useRef } from 'react';
import { FaultMark } from './fault-mark.tsx';
import { TrialLine } from './trial-line.tsx';
import { useFaultText } from './use-fault-text.ts';
import { type ExpressionPlace, useTrial } from './use-trial.ts';

/** The field of an expression. While somebody types, it marks the mistake in the text, or says for how many events or accounts it holds. */
export function ExpressionArea({
  place,
  inputRef,
  ...field
}: TextareaProps & { readonly place: ExpressionPlace; readonly inputRef?: Ref<HTMLTextAreaElement> }) {
  const own = useRef<HTMLTextAreaElement>(null);
  const ref = useMergedRef(own, inputRef);
  const faultText = useFaultText();
  const text = String(field.value ?? '');
  const trial = useTrial(text, place, field.disabled !== true);
  const [mistake] = trial.isOld ? [] : (trial.check?.mistakes ?? []);
  return (
    <Stack gap={4}>
      <Textarea
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...field}
        ref={ref}
        error={field.error ?? (mistake && faultText(mistake))}
        inputContainer={(input) => (
          <div style={{ position: 'relative' }}>
            {input}
            {mistake && <FaultMark field={own} text={text} range={mistake} />}
          </div>
        )}
      />
      {place.scope !== 'REWARD_AMOUNT' && <TrialLine trial={trial} />}
    </Stack>
  );
}
