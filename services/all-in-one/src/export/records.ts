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

/** Whose records are exported: those of one user, of one room, or, with neither, of the server. */
export interface Selection {
  readonly user?: string | undefined;
  readonly room?: string | undefined;
}

/** The records of a kind. */
type Records = (documents: SortedDocuments, selection: Selection) => Iterable<JsonObject>;

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
 * selection. None refers to a document that is not exported with the server.
 */
export const RECORDS: ReadonlyMap<string, Records> = new Map<string, Records>(
  RECORD_FORMATS.flatMap(({ kind, documents }) => {
    const records = documents ? documentsOf(documents.kind) : SHAPED.get(kind);
    return records ? [[kind, records] as const] : [];
  }),
);

function documentsOf({ collection, owner, room: ofRoom, write }: RecordKind): Records {
  return function* records(documents, selection) {
    const { user, room } = selection;
    const field = room === undefined ? owner : ofRoom;
    if (isSelected(selection) && field === undefined) return;
    for (const document of documents.sorted(collection, [])) {
      const record = write(document);
      if (record && (!isSelected(selection) || record[field ?? ''] === (room ?? user))) yield record;
    }
  };
}

/** Whether only some records of the server are exported. */
function isSelected({ user, room }: Selection): boolean {
  return user !== undefined || room !== undefined;
}

function* rolesOf(documents: SortedDocuments, selection: Selection): Generator<JsonObject> {
  if (isSelected(selection)) return;
  for (const document of documents.sorted(roles.name, [])) yield exportedRole(document as Role);
}

function* usersOf(documents: SortedDocuments, { user, room }: Selection): Generator<JsonObject> {
  if (room !== undefined) return;
  const existing = new Set([...documents.sorted(roles.name, [])].map((role) => roleReference(role as Role)));
  const isRole = (reference: string) => builtInRole(reference) !== undefined || existing.has(reference);
  for (const document of documents.sorted(accounts.name, [])) {
    if (user === undefined || document._id === user) yield exportedUser(document as Account, isRole);
  }
}

function* devicesOf(documents: SortedDocuments, { user, room }: Selection): Generator<JsonObject> {
  if (room !== undefined) return;
  for (const document of documents.sorted(devices.name, [])) {
    const device = document as Device;
    if (user === undefined || device.user_id === user) yield exportedDevice(device);
  }
}

function* roomsOf(documents: SortedDocuments, { user, room: only }: Selection): Generator<JsonObject> {
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
    if (only !== undefined && room._id !== only) continue;
    const concerns = user === undefined || room.creator === user || isMember(documents, room._id, user);
    if (concerns) yield exportedRoom(room, own);
  }
}

function isMember(documents: SortedDocuments, roomId: string, user: string): boolean {
  const member = documents.find(members.name, memberId(roomId, user)) as MemberDocument | undefined;
  return member !== undefined && member.arrival > 0;
}

function* membersOf(documents: SortedDocuments, { user, room }: Selection): Generator<JsonObject> {
  for (const document of documents.sorted(members.name, [])) {
    const member = document as MemberDocument;
    if (member.arrival === 0 || (user !== undefined && member.user_id !== user)) continue;
    if (room !== undefined && member.room_id !== room) continue;
    const event = documents.find(events.name, member.event_id) as EventDocument | undefined;
    if (event?.arrival !== undefined) yield exportedMember(member, event);
  }
}

function* eventsOf(documents: SortedDocuments, { user, room: only }: Selection): Generator<JsonObject> {
  let room: { readonly id: string; readonly exists: boolean } | undefined;
  for (const document of documents.sorted(events.name, ['room_id', 'arrival'])) {
    const event = document as EventDocument;
    if (only !== undefined && event.room_id !== only) continue;
    if (room?.id !== event.room_id) {
      room = { id: event.room_id, exists: documents.find(rooms.name, event.room_id) !== undefined };
    }
    // Others are not admitted, or left of a room that is being purged.
    if (event.arrival === undefined || !room.exists) continue;
    const isOwn = event.sender === user || (event.type === 'm.room.member' && event.state_key === user);
    if (user === undefined || isOwn) yield exportedEvent(event);
  }
}

function* hashesOf(documents: SortedDocuments, selection: Selection): Generator<JsonObject> {
  if (isSelected(selection)) return;
  for (const document of documents.sorted(hashes.name, [])) yield exportedHash(document as ListedHash);
}

function* reportsOf(documents: SortedDocuments, { user, room }: Selection): Generator<JsonObject> {
  for (const document of documents.sorted(eventReports.name, [])) {
    const report = document as EventReport;
    if (room !== undefined && report.room_id !== room) continue;
    if (user === undefined || report.user_id === user) yield exportedReport(report);
  }
}

/** The content URIs that the events of a room show. */
export function shownIn(documents: SortedDocuments, room: string): ReadonlySet<string> {
  const shown = new Set<string>();
  for (const document of documents.sorted(events.name, [])) {
    const { room_id, media, avatar, other_media = [] } = document as EventDocument;
    if (room_id !== room) continue;
    for (const uri of [...media, ...other_media, ...(avatar === undefined ? [] : [avatar])]) shown.add(uri);
  }
  return shown;
}
