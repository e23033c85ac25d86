import { useEffect, useSyncExternalStore } from 'react';

/** Data that leaving would lose: unsaved input, or a secret that is shown once. */
export type UnsavedKind = 'entries' | 'secret';

/** A question that waits for its answer. */
export type LeaveQuestion = { readonly kind: UnsavedKind; readonly answer: (leave: boolean) => void };

const held = new Map<symbol, UnsavedKind>();
const listeners = new Set<() => void>();
let question: LeaveQuestion | undefined;

/** The data that leaving would lose now; undefined if there is none. */
export function unsavedWork(): UnsavedKind | undefined {
  const kinds = [...held.values()];
  return kinds.includes('secret') ? 'secret' : kinds[0];
}

/** Says that leaving would lose something, as long as `kind` is given and the component is on the screen. */
export function useUnsavedWork(kind: UnsavedKind | undefined): void {
  useEffect(() => {
    if (kind === undefined) return undefined;
    const holder = Symbol(kind);
    held.set(holder, kind);
    return () => void held.delete(holder);
  }, [kind]);
}

/** Asks the person whether to lose it; resolves true at once if `kind` is undefined. */
export function askToLeave(kind: UnsavedKind | undefined): Promise<boolean> {
  if (kind === undefined) return Promise.resolve(true);
  question?.answer(false);
  return new Promise((resolve) => {
    ask({
      kind,
      answer(leave) {
        ask(undefined);
        resolve(leave);
      },
    });
  });
}

/** The question that waits, for the one place that shows it. */
export function useLeaveQuestion(): LeaveQuestion | undefined {
  return useSyncExternalStore(subscribe, () => question);
}

function ask(next: LeaveQuestion | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
