import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import type {
  DescribeReportedRequest,
  DescribeReportedResponseSchema,
} from '@steward/proto/steward/room/v1/reported_events_pb.ts';
import type { Deps } from '../../core/deps.ts';
import type { EventDocument } from '../../core/model/event-document.ts';
import { originalEvent } from '../../core/model/event-form.ts';
import type { Room } from '../../core/model/room.ts';
import { federationForm } from '../../core/protocol/mod.ts';
import { loadEvents } from '../../core/reading/load-events.ts';
import { isPrivate } from '../../core/visibility/record-private-read.ts';

/** The most events, and the most rooms, of one request. */
const MAX_PER_REQUEST = 1_000;

const DESCRIBED = {
  name: 1,
  canonical_alias: 1,
  encryption: 1,
  history_visibility: 1,
  join_rules: 1,
  topic: 1,
  avatar: 1,
  creator: 1,
  joined_members: 1,
} as const;

/** Describes reported events and rooms as they are now (behaviour.md 9.1, 9.2). */
export async function describeReported(
  deps: Pick<Deps, 'events' | 'rooms'>,
  { eventIds, roomIds, withEvents, withDetails }: DescribeReportedRequest,
): Promise<MessageInitShape<typeof DescribeReportedResponseSchema>> {
  if (Math.max(eventIds.length, roomIds.length) > MAX_PER_REQUEST) {
    throw new ConnectError(
      `At most ${MAX_PER_REQUEST} events and rooms are described at once`,
      Code.InvalidArgument,
    );
  }
  const [events, rooms] = await Promise.all([
    withEvents ? describeEvents(deps, eventIds) : describeSenders(deps, eventIds),
    roomIds.length === 0
      ? []
      : deps.rooms.find({ _id: { $in: roomIds } }, { projection: DESCRIBED }).toArray(),
  ]);
  return {
    events,
    rooms: rooms.map(({ _id, name, canonical_alias, ...room }) => ({
      roomId: _id,
      name: name ?? undefined,
      canonicalAlias: canonical_alias ?? undefined,
      private: isPrivate(room),
      ...(withDetails ? detailsOf(room) : {}),
    })),
  };
}

function detailsOf({
  topic,
  avatar,
  creator,
  joined_members,
}: Pick<Room, 'topic' | 'avatar' | 'creator' | 'joined_members'>) {
  return {
    topic: topic ?? undefined,
    avatarUrl: avatar ?? undefined,
    creator,
    joinedMembers: BigInt(joined_members),
  };
}

async function describeEvents(deps: Pick<Deps, 'events'>, ids: readonly string[]) {
  const events = await loadEvents(deps, ids);
  return events.map((document) => ({
    ...describeSender(document),
    event: storedForm(document),
    redacted: document.redacted_by !== undefined,
  }));
}

/** Describes events without their content, which is not read: lists do not show it, and it may be long. */
async function describeSenders(deps: Pick<Deps, 'events'>, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const projection = { sender: 1, room_id: 1, arrival: 1 } as const;
  const found = await deps.events.find({ _id: { $in: ids } }, { projection }).toArray();
  return found.filter(({ arrival }) => arrival !== undefined).map(describeSender);
}

function describeSender({ _id, sender, room_id }: Pick<EventDocument, '_id' | 'sender' | 'room_id'>) {
  return { eventId: _id, sender, roomId: room_id };
}

/** The event as it was sent, because moderators need the reported content even after a redaction. */
function storedForm(document: EventDocument): string {
  return JSON.stringify({ ...federationForm(originalEvent(document)), room_id: document.room_id });
}
