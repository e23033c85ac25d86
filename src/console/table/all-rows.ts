/** The maximum of rows in one file: the limit of spreadsheets and browsers. */
export const ROWS_MAX = 100_000;

/** One answer of a list, and the cursor of the next one; undefined after the last. */
type Part<Row, Next> = { readonly rows: readonly Row[]; readonly next: Next | undefined };

/**
 * The rows of a list from its first answer on, and whether they are all: after `most` rows no further answer is requested.
 * @param fetchFrom is given undefined for the first answer
 */
export async function allRows<Row, Next>(
  fetchFrom: (next: Next | undefined) => Promise<Part<Row, Next>>,
  most = ROWS_MAX,
): Promise<{ readonly rows: readonly Row[]; readonly isWhole: boolean }> {
  const rows: Row[] = [];
  for (let next: Next | undefined; ;) {
    const part = await fetchFrom(next);
    rows.push(...part.rows);
    next = part.next;
    if (next === undefined) return { rows: rows.slice(0, most), isWhole: rows.length <= most };
    if (rows.length >= most) return { rows: rows.slice(0, most), isWhole: false };
  }
}
