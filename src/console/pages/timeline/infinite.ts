import { keepPreviousData } from '@tanstack/react-query';
import { failureOfQuery } from '../../api/failure.ts';
import type { DayListQuery } from './day-list.tsx';

/** Milliseconds between two refreshes. */
const REFRESH_MS = 5_000;

/** Number of pages from which automatic refreshes stop, because they would reload all pages. */
const PAGES_AT_MOST = 4;

/** The refresh interval of an infinite query. */
function checkAgain({
  state,
}: {
  readonly state: { readonly data?: { readonly pages: readonly unknown[] } | undefined };
}): number | false {
  return (state.data?.pages.length ?? 0) > PAGES_AT_MOST ? false : REFRESH_MS;
}

/** The options of an infinite query by cursor. */
export const pagesByCursor = {
  pageParamKey: 'cursor',
  getNextPageParam: ({ nextCursor }: { readonly nextCursor?: string }) => nextCursor,
  placeholderData: keepPreviousData,
  refetchInterval: checkAgain,
} as const;

/** The used part of the result of `useInfiniteQuery`. */
type Infinite<Page> = {
  readonly data: { readonly pages: readonly Page[] } | undefined;
  readonly error: Parameters<typeof failureOfQuery>[0]['error'];
  readonly failureReason: Parameters<typeof failureOfQuery>[0]['failureReason'];
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
  readonly refetch: () => Promise<unknown>;
};

/** An infinite query as a list by days takes it. */
export function dayListQueryOf<Page, Row>(
  query: Infinite<Page>,
  rowsOf: (page: Page) => readonly Row[],
): DayListQuery<Row> {
  return {
    rows: query.data?.pages.flatMap(rowsOf),
    failure: failureOfQuery(query),
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    more: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}
