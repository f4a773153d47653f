import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Answer, Operation, Params } from '../client/operation.ts';
import { call } from './call.ts';

/** Returns how to read once, when it is needed; what `useRead` has read and is not outdated is not requested again. */
export function useLookup<O extends Operation>(operation: O): (params: Params<O>) => Promise<Answer<O>> {
  const queries = useQueryClient();
  return useCallback(
    (params) =>
      queries.fetchQuery<Answer<O>, Error>({
        queryKey: [operation, params],
        queryFn: ({ signal }) => call(operation, params, { signal }),
      }),
    [queries, operation],
  );
}
