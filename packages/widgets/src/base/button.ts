import { type Child, h } from './dom.ts';
import type { Words } from './words.ts';
import type { TextKey } from '../texts/en.ts';

/**
 * A button that does something with a thing, and is heard with its name: that of the element `name-<id>`.
 * @param busy the id of the thing that is being worked on, during which no button does anything
 */
export function buttonView(
  id: string,
  { text, busy, onclick }: { text: TextKey; busy: string | undefined; onclick: () => void },
  words: Words,
): Child {
  return h(
    'button',
    {
      part: 'button',
      type: 'button',
      id,
      'aria-labelledby': `${id} name-${id}`,
      'aria-disabled': busy === undefined ? undefined : 'true',
      onclick,
    },
    words.text(busy === id ? 'busy' : text),
  );
}

/** The words about what a button did. They are announced, and take the focus of a button that is gone. */
export function resultView(result: string): Child {
  return h('p', { part: 'result', class: 'result', role: 'status', tabindex: -1 }, result);
}

/** Gives the focus to the result, unless the guest has gone elsewhere. */
export function focusResult(root: ShadowRoot | null): void {
  if (document.activeElement === document.body) root?.querySelector<HTMLElement>('[part=result]')?.focus();
}

/** The look of both. */
export const BUTTON_LOOK = `
.result:empty { display: none; }
.result { padding: 10px 12px; border-radius: 8px; background: var(--_tint); font-weight: 600; }
button {
  min-block-size: 44px; padding: 0 18px; border: none; border-radius: 8px; font: inherit; font-weight: 600; cursor: pointer;
  background: var(--_accent); color: var(--_on-accent);
}
button[aria-disabled] { opacity: .6; cursor: default; }
@media (forced-colors: active) { button { border: 1px solid; } }
`;
