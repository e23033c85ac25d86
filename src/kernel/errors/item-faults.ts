import type { DomainError } from './domain-error.ts';

/** The faults by item object. */
const faults = new WeakMap<object, DomainError>();

/**
 * Records a fault of one item of a call whose items are answered separately: the reader of the request notes it, and the operation answers
 * it at the item's position. Only the first fault is kept.
 */
export function noteItemFault(item: object, fault: DomainError): void {
  if (!faults.has(item)) faults.set(item, fault);
}

/** The recorded fault of an item; undefined if it is valid. */
export function itemFaultOf(item: object): DomainError | undefined {
  return faults.get(item);
}
