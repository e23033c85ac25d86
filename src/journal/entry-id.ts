/** The id of an entry: the id of its batch and its index there, in digits that sort. */
export function entryId({ id }: { readonly id: string }, index: number): string {
  return `${id}.${String(index).padStart(3, '0')}`;
}

/** The pattern of ids from {@link entryId}. */
export const ENTRY_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.\d{3}$/;
