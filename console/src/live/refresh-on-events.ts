import type { QueryClient } from '@tanstack/react-query';
import { type Group, refreshAll, refreshGroups } from '../api/refresh-after.ts';
import { groupsOfEvent } from './groups-of-event.ts';
import { live } from './live.ts';

/** How long events are gathered before the page reads again, in milliseconds. */
const GATHER_MS = 100;
/** How often the page reads again at most, in milliseconds. */
const INTERVAL_MS = 500;
/** How long events wait for the answer of an order, in milliseconds. */
const POSTPONED_MS = 2_000;

/** Reads what is on the page again when an event of the feed may have changed it. */
export function refreshOnEvents(queries: QueryClient): () => void {
  const outdated = new Set<Group>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  let first = 0;

  function flush(): void {
    // An order of this page may end what the page shows: its answer says so, its event may be earlier.
    if (queries.isMutating() > 0 && Date.now() - first < POSTPONED_MS) {
      timer = setTimeout(flush, GATHER_MS);
      return;
    }
    timer = undefined;
    last = Date.now();
    const groups = [...outdated];
    outdated.clear();
    void refreshGroups(queries, groups);
  }

  const stopListening = live.listen((message) => {
    if (message.kind === 'missed') void refreshAll(queries);
    // What was read before the stream began may lack changes that it does not tell.
    else if (message.kind === 'state') {
      if (message.state === 'connected' && message.changed) void refreshAll(queries);
    } else if (message.kind === 'event') {
      for (const group of groupsOfEvent(message.event)) outdated.add(group);
      if (timer === undefined) first = Date.now();
      timer ??= setTimeout(flush, Math.max(GATHER_MS, last + INTERVAL_MS - Date.now()));
    }
  });
  return () => {
    stopListening();
    clearTimeout(timer);
  };
}
