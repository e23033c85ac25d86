import { Stack, Textarea, type TextareaProps } from '@mantine/core';
import { useRef } from 'react';
import { FaultMark } from './fault-mark.tsx';
import { NameChips } from './name-chips.tsx';
import { TrialLine } from './trial-line.tsx';
import { useFaultText } from './use-fault-text.ts';
import { type ExpressionPlace, useTrial } from './use-trial.ts';

/**
 * The field of an expression, with the names that it can use. While somebody types, it marks the mistake in the text, or says for how many
 * events or accounts it holds.
 */
export function ExpressionArea({ place, ...field }: TextareaProps & { readonly place: ExpressionPlace }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const faultText = useFaultText();
  const isWritten = field.disabled !== true;
  const text = String(field.value ?? '');
  const trial = useTrial(text, place, isWritten);
  const [mistake] = trial.isOld ? [] : (trial.check?.mistakes ?? []);
  const isCounted = place.scope !== 'REWARD_AMOUNT';

  /** Inserts a name like typed text: the form gets the change, and the cursor stands behind the name. */
  function insert(name: string): void {
    const input = area.current;
    if (input === null) return;
    input.setRangeText(name, input.selectionStart, input.selectionEnd, 'end');
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.focus();
  }

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
        ref={area}
        error={field.error ?? (mistake && faultText(mistake))}
        inputContainer={(input) => (
          <div style={{ position: 'relative' }}>
            {input}
            {mistake && <FaultMark field={area} text={text} range={mistake} />}
          </div>
        )}
      />
      {isWritten && isCounted && <TrialLine trial={trial} />}
      {isWritten && isCounted && <NameChips place={place} onInsert={insert} />}
    </Stack>
  );
}
