import { keepPreviousData, type UseQueryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Answer, Operation, Params } from '../client/operation.ts';
import { call } from './call.ts';
import type { RowSource } from './row-source.ts';
import { useCan } from './use-can.ts';

/** How the pages of a list are requested that continues after a number of rows. */
interface OffsetPaging<Page, Row> {
  readonly rowsOf: (page: Page) => readonly Row[];
  readonly totalOf: (page: Page) => number;
}

const PAGE_ROWS = 100;
/** Pages that are not shown any more are forgotten, so that scrolling through a large list needs little memory. */
const KEPT_MS = 30_000;

/** The rows of a list whose parameter `from` is a number of rows: any part of it can be shown without the parts before. */
export function useOffsetRows<O extends Operation, Row>(
  operation: O,
  params: Params<O>,
  { rowsOf, totalOf }: OffsetPaging<Answer<O>, Row>,
): RowSource<Row> {
  const can = useCan();
  const enabled = can(operation);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const pageQuery = (
    page: number,
  ): UseQueryOptions<Answer<O>, Error> & { readonly queryKey: readonly unknown[] } => {
    const request = { ...params, from: page * PAGE_ROWS, limit: PAGE_ROWS } as Params<O>;
    return {
      queryKey: [operation, request],
      queryFn: ({ signal }) => call(operation, request, { signal }),
      enabled,
      gcTime: KEPT_MS,
    };
  };
  // The first page says how many rows there are. While another filter is answered, the former rows stay.
  const head = useQuery({ ...pageQuery(0), placeholderData: keepPreviousData as never });
  const total = head.data === undefined ? undefined : totalOf(head.data as Answer<O>);
  const firstPage = Math.max(1, Math.floor(range.first / PAGE_ROWS));
  const lastPage = Math.min(
    Math.floor(range.last / PAGE_ROWS),
    Math.floor(Math.max((total ?? 0) - 1, 0) / PAGE_ROWS),
  );
  const wanted: number[] = [];
  for (let page = firstPage; page <= lastPage; page++) wanted.push(page);
  const pages = useQueries({ queries: wanted.map(pageQuery) });
  const failed = [head, ...pages].find(({ isError }) => isError);

  const byPage = new Map([head, ...pages].map(({ data }, index) => [[0, ...wanted][index], data]));
  const at = (index: number) => {
    const page = byPage.get(Math.floor(index / PAGE_ROWS)) as Answer<O> | undefined;
    return page === undefined ? undefined : rowsOf(page)[index % PAGE_ROWS];
  };
  const show = useCallback((first: number, last: number) => {
    setRange((before) => (before.first === first && before.last === last ? before : { first, last }));
  }, []);
  return {
    count: total ?? 0,
    total,
    at,
    show,
    loading: head.isPending && enabled,
    error: failed?.error ?? null,
    retry: () => {
      for (const query of [head, ...pages]) if (query.isError) void query.refetch();
    },
  };
}
