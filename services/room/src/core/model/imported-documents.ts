import type { UpdateById } from '@steward/store';
import type { EventDocument } from './event-document.ts';
import { type MemberDocument, memberId, noMember } from './member.ts';
import { memberFieldsOf } from './read-member.ts';
import { CURRENT, ownIntervalsOf, type StateDocument } from './state-document.ts';

/** Whether an event is or was part of the state, as most hidden ones never were. */
export function hasIntervals(event: EventDocument): boolean {
  return isAdmitted(event) || event.in_state !== undefined;
}

/** The changes of a room's state intervals by events. */
export interface StateIntervals {
  readonly opened: readonly StateDocument[];
  /** Ends the intervals of the events that they replace. */
  readonly closed: readonly UpdateById<StateDocument>[];
}

/** Whether an event is visible and changes state and members, unlike some imported events. */
export function isAdmitted({ soft_failed, rejected }: EventDocument): boolean {
  return !soft_failed && !rejected;
}

/** The state intervals that events of a room open and close; the events are given in the order of arrival. */
export function stateIntervalsOf(events: readonly EventDocument[]): StateIntervals {
  const opened = new Map<string, StateDocument>();
  const closed: UpdateById<StateDocument>[] = [];
  for (const event of events) {
    const { _id, room_id, type, state_key, arrival = 0, replaces, in_state } = event;
    if (state_key === undefined) continue;
    if (in_state) for (const interval of ownIntervalsOf(event)) opened.set(interval._id, interval);
    else opened.set(_id, { _id, room_id, type, state_key, from: arrival, until: CURRENT });
    if (replaces === undefined) continue;
    const before = opened.get(replaces);
    if (before) {
      if (before.until === CURRENT) opened.set(replaces, { ...before, until: arrival });
    } else {
      const filter = { _id: replaces, room_id, until: CURRENT };
      closed.push({ filter, update: { $set: { until: arrival } } });
    }
  }
  return { opened: [...opened.values()], closed };
}

/** The member documents after events of a room, which are given in the order of arrival. */
export function memberDocumentsOf(
  events: readonly EventDocument[],
  serverName: string,
): readonly MemberDocument[] {
  const documents = new Map<string, MemberDocument>();
  for (const event of events) {
    const { type, state_key, room_id, arrival = 0 } = event;
    if (type !== 'm.room.member' || state_key === undefined) continue;
    const id = memberId(room_id, state_key);
    documents.set(id, {
      ...(documents.get(id) ?? noMember(room_id, state_key, serverName)),
      ...memberFieldsOf(event, arrival),
    });
  }
  return [...documents.values()];
}
