import { keepPreviousData, type UseQueryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Answer, Operation, Params } from '../client/operation.ts';
import { call } from './call.ts';
import type { RowSource } from './row-source.ts';
import { useCan } from './use-can.ts';

/** How the pages of a list are requested that continues after a number of rows. */
interface OffsetPaging<Page, Row> {
  readonly rowsOf: (page: Page) => readonly Row[];
  readonly totalOf: (page: Page) => number;
  /** Whether to read now; true when unset. */
  readonly enabled?: boolean | undefined;
}

/** Pages of a list, from the first to the last one, inclusive. */
interface PageRange {
  readonly first: number;
  readonly last: number;
}

const PAGE_ROWS = 100;
/** The rows of a request when all are read. */
const MOST_ROWS = 1_000;
/** Pages that are not shown any more are forgotten, so that scrolling through a large list needs little memory. */
const KEPT_MS = 30_000;
/** How long pages stay in sight before they are requested: those that a fast scroll passes are not. */
const PASSING_MS = 40;
const NO_PAGES: PageRange = { first: 0, last: 0 };

/**
 * The rows of a list whose parameter `from` is a number of rows: any part of it can be shown without the parts before. The pages
 * beside those in sight are loaded ahead; requests for pages that are far out of sight are cancelled.
 */
export function useOffsetRows<O extends Operation, Row>(
  operation: O,
  params: Params<O>,
  { rowsOf, totalOf, enabled = true }: OffsetPaging<Answer<O>, Row>,
): RowSource<Row> {
  const can = useCan();
  const permitted = enabled && can(operation);
  const [seen, setSeen] = useState(NO_PAGES);
  const asked = useAsked(seen);
  const pageQuery = (
    page: number,
    isAsked: boolean,
  ): UseQueryOptions<Answer<O>, Error> & { readonly queryKey: readonly unknown[] } => {
    const request = { ...params, from: page * PAGE_ROWS, limit: PAGE_ROWS } as Params<O>;
    return {
      queryKey: [operation, request],
      queryFn: ({ signal }) => call(operation, request, { signal }),
      enabled: permitted && isAsked,
      gcTime: KEPT_MS,
    };
  };
  // The first page says how many rows there are. While another filter is answered, the former rows stay.
  const head = useQuery({ ...pageQuery(0, true), placeholderData: keepPreviousData as never });
  const total = head.data === undefined ? undefined : totalOf(head.data as Answer<O>);
  const end = Math.floor(Math.max((total ?? 0) - 1, 0) / PAGE_ROWS);
  const isAsked = (page: number) => page >= asked.first - 1 && page <= asked.last + 1;
  // Visible rows are requested before rows that may become visible.
  const wanted = [...pagesOf(seen), ...pagesOf(asked), asked.last + 1, asked.first - 1].filter(
    (page, index, all) => page > 0 && page <= end && all.indexOf(page) === index,
  );
  const pages = useQueries({ queries: wanted.map((page) => pageQuery(page, isAsked(page))) });
  const failed = [head, ...pages].find(({ isError }) => isError);

  const byPage = new Map([head, ...pages].map(({ data }, index) => [[0, ...wanted][index], data]));
  const at = (index: number) => {
    const page = byPage.get(Math.floor(index / PAGE_ROWS)) as Answer<O> | undefined;
    return page === undefined ? undefined : rowsOf(page)[index % PAGE_ROWS];
  };
  const show = useCallback((firstRow: number, lastRow: number) => {
    const first = Math.floor(firstRow / PAGE_ROWS);
    const last = Math.floor(lastRow / PAGE_ROWS);
    setSeen((before) => (before.first === first && before.last === last ? before : { first, last }));
  }, []);
  return {
    list: JSON.stringify(params),
    count: total ?? 0,
    total,
    at,
    show,
    async *readAll(signal) {
      for (let from = 0; ; ) {
        const page = await call(operation, { ...params, from, limit: MOST_ROWS } as Params<O>, { signal });
        const read = rowsOf(page);
        yield read;
        from += read.length;
        if (read.length === 0 || from >= totalOf(page)) return;
      }
    },
    loading: head.isPending && permitted,
    error: failed?.error ?? null,
    retry: () => {
      for (const query of [head, ...pages]) if (query.isError) void query.refetch();
    },
  };
}

/** The pages to request: those in sight, at once after a rest, and during a fast scroll when it pauses. */
function useAsked(seen: PageRange): PageRange {
  const [asked, setAsked] = useState(seen);
  const changedMs = useRef(0);
  useEffect(() => {
    const now = performance.now();
    const rested = now - changedMs.current > PASSING_MS;
    changedMs.current = now;
    if (rested) {
      setAsked(seen);
      return undefined;
    }
    const timer = setTimeout(() => setAsked(seen), PASSING_MS);
    return () => clearTimeout(timer);
  }, [seen]);
  return asked;
}

function pagesOf({ first, last }: PageRange): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
