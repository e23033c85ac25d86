import { useUnsavedWork } from './unsaved-work.ts';

/** Has the person asked before what was entered on this page is lost. */
export function UnsavedChanges({ when }: { readonly when: boolean }) {
  useUnsavedWork(when ? 'entries' : undefined);
  return null;
}
