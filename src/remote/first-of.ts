/** The first rows of a list, at most `limit`. Standard error names a limit that leaves rows out. */
export async function firstOf<T>(list: AsyncIterable<T>, limit: number): Promise<T[]> {
  const rows: T[] = [];
  for await (const row of list) {
    if (rows.length === limit) {
      console.error(`There are more than ${limit}: send --limit with a higher number.`);
      break;
    }
    rows.push(row);
  }
  return rows;
}
