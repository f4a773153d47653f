import { randomId } from '@steward/kernel';
import type { DecisionAlong } from '@steward/service';
import { Conflict, type UpdateById } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { AdmittedMembers } from '../model/admitted-members.ts';
import type { EventDocument } from '../model/event-document.ts';
import { stateIntervalsOf } from '../model/imported-documents.ts';
import { type MemberDocument, memberId, noMember } from '../model/member.ts';
import type { RoomEffect } from '../model/pending-effects.ts';
import { memberFieldsOf } from '../model/read-member.ts';
import type { Room } from '../model/room.ts';
import type { RoomView } from '../view/room-view.ts';
import { factsOf, notifyOf } from './apply-events.ts';
import { relationMarkOf } from './mark-related.ts';
import { requireCapacity } from './require-capacity.ts';
import { rooms } from './rooms.ts';

/**
 * Commits the added events together with all that they change: events, state intervals, members and facts. Only the
 * recheck of admitted members is then pending.
 *
 * @returns the room after the commit; `undefined` if the engine cannot do that, if an event redacts another one, whose
 * documents would have to be read first, or if an earlier attempt has inserted one of the documents
 * @throws Conflict on `version` when another commit came first
 */
export async function commitAtOnce(
  deps: Deps,
  room: Room,
  view: RoomView,
  admittedMembers: AdmittedMembers | undefined,
): Promise<Room | undefined> {
  if (view.admitted.some(({ document }) => document.redacts !== undefined)) return undefined;
  try {
    const committed = await rooms.commitAlong(deps, room, () => decide(deps, room, view, admittedMembers));
    if (committed) notifyOf(deps, committed.document, committed.result ?? []);
    return committed?.document;
  } catch (error) {
    if (error instanceof Conflict && error.index !== 'version') return undefined;
    throw error;
  }
}

/** The change of the room, with all documents that it inserts or changes; its result is the events. */
function decide(
  deps: Deps,
  room: Room,
  view: RoomView,
  admittedMembers: AdmittedMembers | undefined,
): DecisionAlong<Room, RoomEffect, readonly EventDocument[]> {
  const events = view.admitted.map(({ document: { unseen_since, ...event }, arrival }) => ({
    ...event,
    arrival,
  }));
  const facts = events.flatMap((event, index) => {
    const { traceparent = '' } = view.admitted[index] ?? {};
    return factsOf(event, { id: randomId(deps.random), traceparent });
  });
  const along = [
    deps.events.insertion(events),
    ...facts.flatMap((fact) => deps.outbox.insertion(fact) ?? []),
  ];
  const marks = events.flatMap((event) => relationMarkOf(event, event.arrival));
  if (marks.length > 0) along.push(deps.events.alteration(marks));
  if (events.some(({ state_key }) => state_key !== undefined)) {
    const { opened, closed } = stateIntervalsOf(events);
    along.push(
      deps.states.insertion(opened),
      deps.states.alteration(closed),
      deps.members.alteration(events.flatMap((event) => memberUpdateOf(deps, event))),
    );
  }
  const effects = admittedMembers ? [admittedMembers.recheck] : [];
  requireCapacity(room, effects.length);
  return { set: view.changes(), effects, along, result: events };
}

/** The update of the member document that a member event changes or creates; none for other events. */
function memberUpdateOf(
  { serverName }: Pick<Deps, 'serverName'>,
  event: EventDocument & { readonly arrival: number },
): UpdateById<MemberDocument>[] {
  const { type, room_id, state_key } = event;
  if (type !== 'm.room.member' || state_key === undefined) return [];
  const { _id, ...none } = noMember(room_id, state_key, serverName);
  const fields = memberFieldsOf(event, event.arrival);
  const others = Object.entries(none).filter(([field]) => !(field in fields));
  return [
    {
      filter: { _id: memberId(room_id, state_key) },
      update: { $set: fields, $setOnInsert: Object.fromEntries(others) },
      upsert: true,
    },
  ];
}
