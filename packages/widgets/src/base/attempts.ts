import { Refused } from '../connection/refused.ts';

/** Ids of operations without an answer: another attempt with the same id is the same operation. */
export class Attempts {
  readonly #ids = new Map<string, string>();

  /** The id for another attempt. @param subject the thing that the operation changes */
  idOf(subject: string): string {
    const id = this.#ids.get(subject) ?? newOperationId();
    this.#ids.set(subject, id);
    return id;
  }

  /** Forgets the id of an operation that has its answer. */
  done(subject: string): void {
    this.#ids.delete(subject);
  }

  clear(): void {
    this.#ids.clear();
  }
}

/** Whether the service has refused an operation for good. It has not while an attempt that got no answer is still being worked on. */
export function isRefusal(error: unknown): error is Refused {
  return error instanceof Refused && error.code !== 'OPERATION_IN_PROGRESS';
}

/** A random id, also in a page without TLS, where browsers have no UUIDs. */
function newOperationId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
