import type { Deps } from '../../core/deps.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import type { EventFilter } from '../../core/protocol/mod.ts';
import { matchingEvents } from '../../core/visibility/select-events.ts';

/** Selects the events that match a filter, regardless of their visibility; omits rejected events. */
export function selectAdmitted(
  deps: Pick<Deps, 'events'>,
  filter: EventFilter,
): (documents: readonly EventDocument[]) => Promise<readonly { readonly document: EventDocument }[]> {
  return async (documents) => {
    const admitted = documents.filter(({ rejected }) => rejected !== true);
    return (await matchingEvents(deps, admitted, filter)).map((document) => ({ document }));
  };
}
