import { useEffectEvent, useLayoutEffect } from 'react';

/**
 * Collects typed keys from the opening of a dialog until its field has the focus, because its code may still load. Keys within a dialog
 * stay with it.
 * @param awaited whether the dialog is opening
 * @param onType receives the function from the text before a key to the text after it
 */
export function useTypedAhead(
  awaited: boolean,
  onType: (change: (typed: string) => string) => void,
  onEscape: () => void,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isInDialog(target)) return;
    if (key === 'Escape') onEscape();
    else if (key === 'Backspace') onType((typed) => typed.slice(0, -1));
    else if ([...key].length === 1) onType((typed) => typed + key);
    // The focused button or field does not receive the key.
    else if (key !== 'Enter') return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  useLayoutEffect(() => {
    if (!awaited) return undefined;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, [awaited]);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}
