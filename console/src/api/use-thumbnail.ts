import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Params } from '../client/operation.ts';
import { call } from './call.ts';
import { useCan } from './use-can.ts';

/** The server makes few thumbnails at a time and refuses those that wait too long. */
const MAX_LOADING = 4;
/** Images that are not shown any more are forgotten. */
const KEPT_MS = 60_000;

let loading = 0;
const waiting: (() => void)[] = [];

/** Loads the thumbnail of an image. The bytes of a medium never change, so it is loaded once. */
export function useThumbnail(params: Params<'media.getThumbnail'>, enabled: boolean): UseQueryResult<Blob> {
  const can = useCan();
  const further = params.allow_quarantined ? ['rooms:content'] : [];
  return useQuery({
    queryKey: ['thumbnail', params],
    queryFn: ({ signal }) => whenFree(() => load(params, signal)),
    enabled: enabled && can('media.getThumbnail', ...further),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
}

async function load(params: Params<'media.getThumbnail'>, signal: AbortSignal): Promise<Blob> {
  signal.throwIfAborted();
  const { contentType, body } = await call('media.getThumbnail', params, { signal });
  return new Response(body, { headers: { 'content-type': contentType ?? '' } }).blob();
}

async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  if (loading >= MAX_LOADING) await new Promise<void>((resolve) => waiting.push(resolve));
  loading += 1;
  try {
    return await work();
  } finally {
    loading -= 1;
    waiting.shift()?.();
  }
}
