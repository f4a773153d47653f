import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Answer, Operation, Params } from '../client/operation.ts';
import { call } from './call.ts';
import { RECORDED } from './refresh-after.ts';
import { useCan } from './use-can.ts';

/** How a read is kept up to date. */
export interface ReadOptions {
  /** Whether to read now; true when unset. */
  readonly enabled?: boolean | undefined;
  /** How often to read again what no event announces, in milliseconds. */
  readonly everyMs?: number | undefined;
  /** Whether to show the former answer while another one, with other parameters, is on its way. */
  readonly keepFormer?: boolean | undefined;
  /** Whether the audit log records each read, so that it is not repeated whenever an event arrives. */
  readonly recorded?: boolean | undefined;
}

/**
 * Reads with an operation; reads nothing that the user may not. Events of the feed refresh it (see `live/`).
 */
export function useRead<O extends Operation>(
  operation: O,
  params: Params<O>,
  { enabled = true, everyMs, keepFormer = false, recorded = false }: ReadOptions = {},
): UseQueryResult<Answer<O>, Error> {
  const can = useCan();
  return useQuery<Answer<O>, Error>({
    queryKey: [operation, params],
    queryFn: ({ signal }) => call(operation, params, { signal }),
    enabled: enabled && can(operation),
    ...(recorded ? { meta: RECORDED, staleTime: Number.POSITIVE_INFINITY } : {}),
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    ...(keepFormer ? { placeholderData: (former: Answer<O> | undefined) => former as never } : {}),
  });
}
