import type { Place, PlacedEntry } from './stream.ts';
import type { StreamName } from './streams.ts';

/** A page of a timeline. */
export interface MergedPage {
  /** The newest first. */
  readonly entries: readonly (PlacedEntry & { readonly stream: StreamName })[];
  /** The place of the last entry of each stream on the page, else the given one. */
  readonly places: ReadonlyMap<StreamName, Place>;
  readonly hasMore: boolean;
}

/**
 * Merges streams by time. Entries of one stream keep their order, also where their times do not; those of one time are in the order
 * of their streams' names.
 *
 * @param streams of each the newest entries behind its place: all of them, or more than `limit`
 */
export function mergeStreams(
  streams: ReadonlyMap<StreamName, readonly PlacedEntry[]>,
  places: ReadonlyMap<StreamName, Place>,
  limit: number,
): MergedPage {
  const heads = [...streams]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([stream, entries]) => ({ stream, entries, next: 0 }));
  const entries: (PlacedEntry & { readonly stream: StreamName })[] = [];
  const reached = new Map(places);
  for (;;) {
    let newest: (typeof heads)[number] | undefined;
    for (const head of heads) {
      const entry = head.entries[head.next];
      const best = newest?.entries[newest.next];
      if (entry && (!best || entry.place.ts > best.place.ts)) newest = head;
    }
    const entry = newest?.entries[newest.next];
    if (!newest || !entry) return { entries, places: reached, hasMore: false };
    if (entries.length === limit) return { entries, places: reached, hasMore: true };
    entries.push({ ...entry, stream: newest.stream });
    reached.set(newest.stream, entry.place);
    newest.next++;
  }
}
