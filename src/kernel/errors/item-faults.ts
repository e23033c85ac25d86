import type { DomainError } from './domain-error.ts';

/** By the item, as its call holds it. */
const faults = new WeakMap<object, DomainError>();

/**
 * Notes what keeps one item of a call from being used, where each item is answered by itself: who reads the request finds it, and
 * the operation answers it in the item's place. The first fault stays.
 */
export function noteItemFault(item: object, fault: DomainError): void {
  if (!faults.has(item)) faults.set(item, fault);
}

/** What was noted of an item; undefined for one that may be used. */
export function itemFaultOf(item: object): DomainError | undefined {
  return faults.get(item);
}
