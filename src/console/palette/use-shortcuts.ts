import { useEffect, useEffectEvent, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useAllowed } from '../session/allowed.tsx';
import { GO, goTos } from './shortcuts.ts';

/** Milliseconds in which the second key of two has to follow. */
const SECOND_KEY_MS = 1_500;

/** The dialogs that keys open. */
export type KeyDialog = 'palette' | 'help';

/** The allowed functions of keys, and the time of the first key of two. */
type Keyboard = {
  readonly open: (dialog: KeyDialog) => void;
  /** Goes to the page of the second key. @returns whether there is one */
  readonly goTo: (key: string) => boolean;
  readonly goneAt: { current: number };
};

/**
 * Listens to the keys of the whole page. Single keys have no effect during typing or in a dialog; keys with Ctrl (⌘) have, because the
 * browser would otherwise act.
 */
export function useShortcuts(open: (dialog: KeyDialog) => void): void {
  const navigate = useNavigate();
  const may = useAllowed();
  const goneAt = useRef(-Infinity);

  const goTo = (key: string): boolean => {
    const page = goTos.find(({ shortcut, needs }) => shortcut === key && (needs === undefined || may(needs)));
    if (page) void navigate(page.path);
    return page !== undefined;
  };

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const press = event.ctrlKey || event.metaKey ? pressWithModifier : pressSingle;
    if (press(event, { open, goTo, goneAt })) event.preventDefault();
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function pressWithModifier({ key, shiftKey }: KeyboardEvent, { open }: Keyboard): boolean {
  if (shiftKey) return false;
  if (key.toLowerCase() === 'k') {
    if (!isDialogOpen()) open('palette');
    return true;
  }
  return key.toLowerCase() === 's' && saveForm();
}

function pressSingle({ key, target, timeStamp }: KeyboardEvent, { open, goTo, goneAt }: Keyboard): boolean {
  const second = timeStamp - goneAt.current < SECOND_KEY_MS;
  goneAt.current = -Infinity;
  if (isTyping(target) || isDialogOpen()) return false;
  if (key === '?') open('help');
  else if (key === '/') return focusSearch();
  else if (second) return goTo(key);
  else if (key === GO) goneAt.current = timeStamp;
  else return false;
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]') !== null;
}

/** The search box of the list on this page. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main [role="search"] input');
  field?.focus();
  field?.select();
  return field !== null;
}

/** Submits the focused form, or the only one of the page. @returns whether a form was found */
function saveForm(): boolean {
  const own = document.activeElement?.closest('form');
  const all = document.querySelectorAll<HTMLFormElement>('main form');
  const form = own ?? (all.length === 1 && !isDialogOpen() ? all[0] : undefined);
  form?.requestSubmit();
  return form !== undefined;
}
