/** Pixels of the neighbour that stay visible, as a hint of more items. */
const NEIGHBOUR = 40;

/** Scrolls a tab into view in a row that is wider than a phone, without scrolling the page. */
export function showInRow(tab: HTMLElement | null): void {
  const row = tab?.parentElement;
  if (!tab || !row) return;
  row.scrollLeft += tab.getBoundingClientRect().left - row.getBoundingClientRect().left - NEIGHBOUR;
}
