import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { call } from '../../../api/call.ts';
import { useCan } from '../../../api/use-can.ts';
import type { Answer, Operation, Params } from '../../../client/operation.ts';
import { live } from '../../../live/live.ts';

/** The first part of the keys of what is read of the content of rooms. */
export const CONTENT = 'content of a room';
/** Each read of a private room is recorded in the audit log, so that it is not repeated without a reason. */
export const CONTENT_OPTIONS = {
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  meta: { recorded: true },
} as const;

/** The events of the feed, by how their types begin or by their types, after which content is another one. */
const CHANGES = /^(room\.|task\.(completed|failed|cancelled)$)/;

/** Reads content of a room. It is read again when an order of this page or an event of the feed may have changed it. */
export function useContent<O extends Operation>(
  roomId: string,
  operation: O,
  params: Params<O>,
  enabled = true,
): UseQueryResult<Answer<O>, Error> {
  const can = useCan();
  return useQuery<Answer<O>, Error>({
    queryKey: [CONTENT, roomId, operation, params],
    queryFn: ({ signal }) => call(operation, params, { signal }),
    enabled: enabled && can(operation),
    ...CONTENT_OPTIONS,
  });
}

/** Returns what reads the content of a room again. */
export function useRefreshContent(roomId: string): () => void {
  const queries = useQueryClient();
  return useCallback(
    () => void queries.invalidateQueries({ queryKey: [CONTENT, roomId] }),
    [queries, roomId],
  );
}

/** Reads the content of a room again after the orders of this page, and after events of the feed about the room. */
export function useContentRefresh(roomId: string): void {
  const queries = useQueryClient();
  const refresh = useRefreshContent(roomId);
  useEffect(() => {
    const stopListening = live.onEvent(({ type, targets }) => {
      if (CHANGES.test(type) && targets.includes(roomId)) refresh();
    });
    const stopWatching = queries.getMutationCache().subscribe((change) => {
      if (change.type !== 'updated') return;
      const { type } = change.action;
      // Also after a failure: an order without an answer may have been carried out.
      if (type === 'success' || type === 'error') refresh();
    });
    return () => {
      stopListening();
      stopWatching();
    };
  }, [queries, refresh, roomId]);
}
