import { compareCodePoints, type JsonObject } from '@steward/kernel';
import { exportedHash, hashes, type ListedHash } from '@steward/media';
import { type EventReport, eventReports, exportedReport } from '@steward/moderation';
import type { RecordKind } from '@steward/records';
import {
  type Alias,
  aliases,
  type EventDocument,
  events,
  exportedEvent,
  exportedMember,
  exportedRoom,
  type MemberDocument,
  memberId,
  members,
  type Room,
  rooms,
} from '@steward/room';
import type { SortedDocuments } from '@steward/store';
import {
  type Account,
  accounts,
  builtInRole,
  type Device,
  devices,
  exportedDevice,
  exportedRole,
  exportedUser,
  type Role,
  roleReference,
  roles,
} from '@steward/user';
import { RECORD_FORMATS } from '../import/record-formats.ts';

/** The records of a kind. */
type Records = (documents: SortedDocuments, user: string | undefined) => Iterable<JsonObject>;

/** The kinds of records that are not documents. */
const SHAPED: ReadonlyMap<string, Records> = new Map<string, Records>([
  ['roles', rolesOf],
  ['users', usersOf],
  ['devices', devicesOf],
  ['rooms', roomsOf],
  ['members', membersOf],
  ['events', eventsOf],
  ['media_hashes', hashesOf],
  ['reports', reportsOf],
]);

/**
 * The records of each kind but media, by the name of their file, in the order in which they are imported: those of the
 * server, or those that concern one user. None refers to a document that is not exported with the server.
 */
export const RECORDS: ReadonlyMap<string, Records> = new Map<string, Records>(
  RECORD_FORMATS.flatMap(({ kind, documents }) => {
    const records = documents ? documentsOf(documents.kind) : SHAPED.get(kind);
    return records ? [[kind, records] as const] : [];
  }),
);

function documentsOf({ collection, owner, write }: RecordKind): Records {
  return function* records(documents, user) {
    if (user !== undefined && owner === undefined) return;
    for (const document of documents.sorted(collection, [])) {
      const record = write(document);
      if (record && (user === undefined || record[owner ?? ''] === user)) yield record;
    }
  };
}

function* rolesOf(documents: SortedDocuments, user: string | undefined): Generator<JsonObject> {
  if (user !== undefined) return;
  for (const document of documents.sorted(roles.name, [])) yield exportedRole(document as Role);
}

function* usersOf(documents: SortedDocuments, user: string | undefined): Generator<JsonObject> {
  const existing = new Set([...documents.sorted(roles.name, [])].map((role) => roleReference(role as Role)));
  const isRole = (reference: string) => builtInRole(reference) !== undefined || existing.has(reference);
  for (const document of documents.sorted(accounts.name, [])) {
    if (user === undefined || document._id === user) yield exportedUser(document as Account, isRole);
  }
}

function* devicesOf(documents: SortedDocuments, user: string | undefined): Generator<JsonObject> {
  for (const document of documents.sorted(devices.name, [])) {
    const device = document as Device;
    if (user === undefined || device.user_id === user) yield exportedDevice(device);
  }
}

function* roomsOf(documents: SortedDocuments, user: string | undefined): Generator<JsonObject> {
  // Both are in the order of room ids, so that neither is kept in memory.
  const sortedAliases = documents.sorted(aliases.name, ['room_id'])[Symbol.iterator]();
  let next = sortedAliases.next();
  for (const document of documents.sorted(rooms.name, [])) {
    const own: string[] = [];
    while (!next.done && compareCodePoints((next.value as Alias).room_id, document._id) <= 0) {
      if ((next.value as Alias).room_id === document._id) own.push(next.value._id);
      next = sortedAliases.next();
    }
    const room = document as Room;
    const concerns = user === undefined || room.creator === user || isMember(documents, room._id, user);
    if (concerns) yield exportedRoom(room, own);
  }
}

function isMember(documents: SortedDocuments, roomId: string, user: string): boolean {
  const member = documents.find(members.name, memberId(roomId, user)) as MemberDocument | undefined;
  return member !== undefined && member.arrival > 0;
}

function* membersOf(documents: SortedDocuments, user: string | undefined): Generator<JsonObject> {
  for (const document of documents.sorted(members.name, [])) {
    const member = document as MemberDocument;
    if (member.arrival === 0 || (user !== undefined && member.user_id !== user)) continue;
    const event = documents.find(events.name, member.event_id) as EventDocument | undefined;
    if (event?.arrival !== undefined) yield exportedMember(member, event);
  }
}

function* eventsOf(documents: SortedDocuments, user: string | undefined): Generator<JsonObject> {
  let room: { readonly id: string; readonly exists: boolean } | undefined;
  for (const document of documents.sorted(events.name, ['room_id', 'arrival'])) {
    const event = document as EventDocument;
    if (room?.id !== event.room_id) {
      room = { id: event.room_id, exists: documents.find(rooms.name, event.room_id) !== undefined };
    }
    // Others are not admitted, or left of a room that is being purged.
    if (event.arrival === undefined || !room.exists) continue;
    const isOwn = event.sender === user || (event.type === 'm.room.member' && event.state_key === user);
    if (user === undefined || isOwn) yield exportedEvent(event);
  }
}

function* hashesOf(documents: SortedDocuments, user: string | undefined): Generator<JsonObject> {
  if (user !== undefined) return;
  for (const document of documents.sorted(hashes.name, [])) yield exportedHash(document as ListedHash);
}

function* reportsOf(documents: SortedDocuments, user: string | undefined): Generator<JsonObject> {
  for (const document of documents.sorted(eventReports.name, [])) {
    const report = document as EventReport;
    if (user === undefined || report.user_id === user) yield exportedReport(report);
  }
}
