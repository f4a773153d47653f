import type { Deps } from '../../core/deps.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import type { EventFilter } from '../../core/protocol/mod.ts';
import { matchingEvents } from '../../core/visibility/select-events.ts';

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
