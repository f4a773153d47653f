import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import type { EventFilter } from '../protocol/mod.ts';
import { type ClientOptions, toClientEvents } from '../reading/client-events.ts';
import { membersOfSenders } from '../reading/members-of-senders.ts';
import { stateAt } from '../reading/state-at.ts';
import { matchingEvents } from '../visibility/select-events.ts';

/**
 * The state of a room after the last of some events that matches a filter; with lazy loading of members, only the
 * member events of those who sent one of the events.
 */
export async function stateAround(
  deps: Deps,
  roomId: string,
  shown: readonly EventDocument[],
  filter: EventFilter,
  options: ClientOptions,
): Promise<string[]> {
  const point = { roomId, arrival: shown.at(-1)?.arrival ?? 0 };
  const state: string[] = [];
  const add = async (documents: readonly EventDocument[]) => {
    state.push(...(await toClientEvents(deps, await matchingEvents(deps, documents, filter), options)));
  };
  for await (const page of stateAt(deps, point)) {
    await add(filter.lazyLoadMembers ? page.filter(({ type }) => type !== 'm.room.member') : page);
  }
  if (filter.lazyLoadMembers) {
    const senders = shown.map(({ sender }) => sender);
    await add(await membersOfSenders(deps, point, senders));
  }
  return state;
}
