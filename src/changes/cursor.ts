import { badRequest } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';

/** A place in a feed: behind the change with this number. */
export type Place = {
  readonly number: number;
  /** The end of the id of its batch, by which a restored database is told. Undefined at a place without a batch. */
  readonly mark: string | undefined;
};

const CURSOR = /^(\d{1,15})(?:-([0-9a-f]{12}))?$/;

/** The end of the id of a batch, which is random. */
export function markOf(batchId: string): string {
  return batchId.slice(-12);
}

/** The text of a place. */
export function cursorOf({ number, mark }: Place): string {
  return mark === undefined ? String(number) : `${number}-${mark}`;
}

/** @throws DomainError `BAD_REQUEST` for a text that is no cursor */
export function placeOf(cursor: string): Place {
  const [, number, mark] = CURSOR.exec(cursor) ?? [];
  if (number === undefined)
    throw badRequest(
      sentence`\`after\` is no cursor of this feed. Send a \`cursor\` or a \`nextAfter\` as it was answered, or leave it out.`,
    );
  return { number: Number(number), mark };
}
