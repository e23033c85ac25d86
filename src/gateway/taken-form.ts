import type { Binding } from './binding.ts';

/** The message that a CloudEvent is read as. */
const TRIGGER = 'laurel.v1.Trigger';

/** The form in which a route takes CloudEvents: one for a body that is an event, a batch for a list of events; undefined for none. */
export type TakenForm = 'one' | 'batch';

/** The {@link TakenForm} of a route. Code generation reads this file while `gen/` is empty. */
export function takenFormOf({ bodyField, rpc }: Binding): TakenForm | undefined {
  if (bodyField?.message?.typeName === TRIGGER) return 'one';
  const hasEvents = rpc.input.fields.some((field) => field.fieldKind === 'list' && field.message?.typeName === TRIGGER);
  return hasEvents ? 'batch' : undefined;
}
