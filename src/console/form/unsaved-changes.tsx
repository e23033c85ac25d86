import { useUnsavedWork } from './unsaved-work.ts';

/** Asks the user before unsaved input of this page is lost. */
export function UnsavedChanges({ when }: { readonly when: boolean }) {
  useUnsavedWork(when ? 'entries' : undefined);
  return null;
}
