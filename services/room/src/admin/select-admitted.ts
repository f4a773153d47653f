import type { Deps } from '../deps.ts';
import type { EventFilter } from '../protocol/mod.ts';
import type { EventDocument } from '../timeline/event-document.ts';
import { matchingEvents } from '../timeline/select-events.ts';

/** Takes from events of a room those that a filter wants, whoever may see them; rejected ones are none. */
export function selectAdmitted(
  deps: Pick<Deps, 'events'>,
  filter: EventFilter,
): (documents: readonly EventDocument[]) => Promise<readonly { readonly document: EventDocument }[]> {
  return async (documents) => {
    const admitted = documents.filter(({ rejected }) => rejected !== true);
    return (await matchingEvents(deps, admitted, filter)).map((document) => ({ document }));
  };
}
