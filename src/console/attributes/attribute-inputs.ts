import type { JsonObject } from '@bufbuild/protobuf';

/** The value of one attribute; an empty text or list is none. */
export type AttributeInput = string | number | boolean | string[];

/** Entered values by the names of attributes, in the form in which the service takes them. */
export type AttributeInputs = { readonly [name: string]: AttributeInput | undefined };

/** The request of the values: those that are empty are left out. */
export function sentInputs(inputs: AttributeInputs): JsonObject {
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, value]) => (isEmpty(value) ? [] : [[name, value] as const])),
  );
}

/** Stored values as inputs. */
export function inputsOf(values: JsonObject | undefined): AttributeInputs {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => isInput(value))) as AttributeInputs;
}

/** The values that differ, with null for those that were emptied; undefined if none does. */
export function changedInputs(before: AttributeInputs, after: AttributeInputs): JsonObject | undefined {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(emptied(before[name])) !== JSON.stringify(emptied(value)),
  );
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map(([name, value]) => [name, emptied(value)]));
}

function emptied(value: AttributeInput | undefined): AttributeInput | null {
  return isEmpty(value) ? null : value;
}

/** Whether an input has no value. */
export function isEmpty(value: AttributeInput | undefined): value is undefined {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The values in a part of an address; those that no input can have are left out. */
export function inputsOfText(text: string | null): AttributeInputs {
  try {
    const found: unknown = JSON.parse(text ?? '{}');
    if (typeof found !== 'object' || found === null) return {};
    return Object.fromEntries(Object.entries(found).filter(([, value]) => isInput(value)));
  } catch {
    return {};
  }
}

function isInput(value: unknown): value is AttributeInput {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string');
  return ['string', 'number', 'boolean'].includes(typeof value);
}
