import { serviceAbsences } from './service-absences.ts';
import { serviceExpressions } from './service-expressions.ts';
import { serviceFaults } from './service-faults.ts';
import { serviceNotes } from './service-notes.ts';
import { serviceRefusals } from './service-refusals.ts';
import { serviceRows } from './service-rows.ts';

/**
 * The sentences of the service in Spanish, by their English form. Placeholders like `{0}` are the same in both; a field in
 * backticks is shown by its label in the forms.
 */
export const serviceMessages: Readonly<Record<string, string>> = {
  ...serviceAbsences,
  ...serviceExpressions,
  ...serviceFaults,
  ...serviceNotes,
  ...serviceRefusals,
  ...serviceRows,
};
