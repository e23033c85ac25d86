/** Whether two lists without repetitions have the same elements, in whatever order. */
export function isSameUnordered(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && new Set(one).isSubsetOf(new Set(other));
}
