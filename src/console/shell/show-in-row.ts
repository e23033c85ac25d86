/** Pixels of the neighbour that stay visible, as a hint of more items. */
const NEIGHBOUR = 40;

/** Brings a tab into sight in a row that is wider than a phone, and leaves the page itself where it is. */
export function showInRow(tab: HTMLElement | null): void {
  const row = tab?.parentElement;
  if (!tab || !row) return;
  row.scrollLeft += tab.getBoundingClientRect().left - row.getBoundingClientRect().left - NEIGHBOUR;
}
