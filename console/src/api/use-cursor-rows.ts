import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Answer, Operation, Params } from '../client/operation.ts';
import { call } from './call.ts';
import type { RowSource } from './row-source.ts';
import { useCan } from './use-can.ts';

/** The rows of a list that continues at a cursor. */
interface CursorRows<Page, Row> extends RowSource<Row> {
  /** The first page, for what it says of the whole list. */
  readonly first: Page | undefined;
}

/** How the pages of a list are requested that continues at a cursor. */
interface CursorPaging<Page, Row> {
  readonly rowsOf: (page: Page) => readonly Row[];
  /** Where the next page begins; undefined, null or empty after the last one. */
  readonly nextOf: (page: Page) => string | number | null | undefined;
  readonly totalOf?: ((page: Page) => number | null | undefined) | undefined;
  /** The rows of a page; 100 when unset. */
  readonly limit?: number | undefined;
  /** Whether to read now; true when unset. */
  readonly enabled?: boolean | undefined;
  /** How often to read again what no event announces, in milliseconds, while few pages are loaded. */
  readonly everyMs?: number | undefined;
}

const PAGE_ROWS = 100;
/** The rows of a request when all are read. */
const MOST_ROWS = 1_000;
/** More pages than these are read again for events only: each read requests them all. */
const MAX_REPEATED_PAGES = 3;

/** The rows of a list whose parameter `from` is a cursor: each page is loaded after the ones before it. */
export function useCursorRows<O extends Operation, Row>(
  operation: O,
  params: Params<O>,
  { rowsOf, nextOf, totalOf, limit = PAGE_ROWS, enabled = true, everyMs }: CursorPaging<Answer<O>, Row>,
): CursorRows<Answer<O>, Row> {
  const can = useCan();
  const queryKey = [operation, params, 'pages'];
  const permitted = enabled && can(operation);
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const request = { ...params, limit, ...(pageParam === undefined ? {} : { from: pageParam }) };
      return call(operation, request as Params<O>, { signal });
    },
    initialPageParam: undefined as string | number | undefined,
    getNextPageParam: (page: Answer<O>) => {
      const next = nextOf(page);
      return next === null || next === '' ? undefined : next;
    },
    enabled: permitted,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      everyMs !== undefined && (state.data?.pages.length ?? 0) <= MAX_REPEATED_PAGES ? everyMs : false,
  });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => rowsOf(page as Answer<O>)) ?? [], [data, rowsOf]);
  const at = useCallback((index: number) => rows[index], [rows]);
  const show = useCallback(
    (_: number, last: number) => {
      if (last >= rows.length - 1 && hasNextPage && !isFetching && !isError) void fetchNextPage();
    },
    [rows, hasNextPage, isFetching, isError, fetchNextPage],
  );
  const [first] = data?.pages ?? [];
  return {
    first: first as Answer<O> | undefined,
    list: JSON.stringify(params),
    // The last row stands for the next page.
    count: rows.length + (hasNextPage ? 1 : 0),
    total: first === undefined ? undefined : (totalOf?.(first as Answer<O>) ?? undefined),
    at,
    show,
    async *readAll(signal) {
      for (let from: string | number | undefined; ; ) {
        const request = { ...params, limit: MOST_ROWS, ...(from === undefined ? {} : { from }) };
        const page = await call(operation, request as Params<O>, { signal });
        yield rowsOf(page);
        const next = nextOf(page);
        if (next === undefined || next === null || next === '') return;
        from = next;
      }
    },
    loading: query.isPending && permitted,
    error: query.error,
    retry: () => void (query.isFetchNextPageError ? fetchNextPage() : query.refetch()),
  };
}
