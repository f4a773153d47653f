import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { createClient, type Transport } from '@connectrpc/connect';
import type { JsonObject } from '@steward/kernel';
import {
  ImportedHashSchema,
  ImportService as MediaImportService,
} from '@steward/proto/steward/media/v1/import_pb.ts';
import {
  ImportedReportSchema,
  ImportService as ModerationImportService,
} from '@steward/proto/steward/moderation/v1/import_pb.ts';
import { RecordService } from '@steward/proto/steward/records/v1/records_pb.ts';
import {
  ImportedMemberSchema,
  ImportedRoomSchema,
  ImportService as RoomImportService,
} from '@steward/proto/steward/room/v1/import_pb.ts';
import {
  ImportedDeviceSchema,
  ImportedRoleSchema,
  ImportedUserSchema,
  ImportService,
} from '@steward/proto/steward/user/v1/import_pb.ts';
import { parseRecord } from '@steward/records';
import type { BatchResult, Kind } from './kind.ts';
import { mediaKind } from './media-kind.ts';
import type { OpenServices } from './open-services.ts';
import { readShaped } from './read-shaped.ts';
import { type DocumentKind, RECORD_FORMATS } from './record-formats.ts';

/** The longest record of an event, in characters: far longer than a valid event. */
const EVENT_MAX_LENGTH = 1024 * 1024;

/** The longest record of a document, in characters: with the rest of its batch, services accept it. */
const RECORD_MAX_LENGTH = 6 * 1024 * 1024;

/** Opens a kind for the records of a directory. */
type OpenKind = (services: OpenServices, directory: string) => Kind;

/** The kinds of records that are not documents. */
const SHAPED: ReadonlyMap<string, OpenKind> = new Map<string, OpenKind>([
  [
    'roles',
    ({ user }) => {
      const client = createClient(ImportService, user);
      return kind('roles', ImportedRoleSchema, (roles) => client.importRoles({ roles }));
    },
  ],
  [
    'users',
    ({ user }) => {
      const client = createClient(ImportService, user);
      // Of two accounts with one address, that of the earlier line gets it.
      return {
        ...replaceable(
          kind('users', ImportedUserSchema, (users) => client.importUsers({ users })),
          { name: 'users', service: user, idOf: ({ user_id }) => String(user_id) },
        ),
        inOrder: true,
      };
    },
  ],
  [
    'devices',
    ({ user }) => {
      const client = createClient(ImportService, user);
      return replaceable(
        kind('devices', ImportedDeviceSchema, (devices) => client.importDevices({ devices })),
        { name: 'devices', service: user, idOf: ({ user_id, device_id }) => `${user_id} ${device_id}` },
      );
    },
  ],
  [
    'rooms',
    ({ room }) => {
      const client = createClient(RoomImportService, room());
      const load = (update: boolean) =>
        kind('rooms', ImportedRoomSchema, (rooms) => client.importRooms({ rooms, update }));
      return { ...load(false), idOf: (line) => String(parseRecord(line).room_id), replace: load(true).load };
    },
  ],
  [
    'members',
    ({ room }) => {
      const client = createClient(RoomImportService, room());
      return kind('members', ImportedMemberSchema, (members) => client.importMembers({ members }));
    },
  ],
  [
    'events',
    ({ room }) => {
      const client = createClient(RoomImportService, room());
      return {
        read: eventText,
        load: (events) => client.importEvents({ events: events as string[] }),
        inOrder: true,
      };
    },
  ],
  [
    'media',
    ({ media }, directory) =>
      replaceable(mediaKind(media(), directory), {
        name: 'media',
        service: media(),
        idOf: ({ origin, media_id, user_id }) => `${origin ?? serverOf(String(user_id))}/${media_id}`,
      }),
  ],
  [
    'media_hashes',
    ({ media }) => {
      const client = createClient(MediaImportService, media());
      return kind('media_hashes', ImportedHashSchema, (hashes) => client.importHashes({ hashes }));
    },
  ],
  [
    'reports',
    ({ moderation }) => {
      const client = createClient(ModerationImportService, moderation());
      return kind('reports', ImportedReportSchema, (reports) => client.importReports({ reports }));
    },
  ],
]);

/** The kinds of records by the name of their file, in the order in which an administrator loads them. */
export const KINDS: ReadonlyMap<string, OpenKind> = new Map(
  RECORD_FORMATS.map(({ kind: name, documents }) => {
    const open = documents ? documentKind(documents) : SHAPED.get(name);
    if (!open) throw new Error(`Nothing loads records of kind ${name}`);
    return [name, open] as const;
  }),
);

/** A kind of records that the service reads itself. */
function documentKind({ kind, service }: DocumentKind): OpenKind {
  const { name } = kind;
  return (services) => {
    const of = services[service];
    const transport = typeof of === 'function' ? of() : of;
    const client = createClient(RecordService, transport);
    const load = (records: readonly unknown[]) =>
      client.importRecords({ kind: name, records: records as string[] });
    const idOf = (record: JsonObject) => kind.read(record)._id;
    return replaceable({ read: recordText, load }, { name, service: transport, idOf });
  };
}

/** A kind whose documents can be replaced and removed. */
function replaceable(
  kind: Kind,
  {
    name,
    service,
    idOf,
  }: {
    readonly name: string;
    readonly service: Transport;
    readonly idOf: (record: JsonObject) => string;
  },
): Kind {
  const remove = (ids: readonly string[]) =>
    createClient(RecordService, service).removeRecords({ kind: name, ids: [...ids] });
  return {
    ...kind,
    idOf: (line) => idOf(parseRecord(line)),
    remove,
    // What cannot be loaded does not take the place of what is there.
    async replace(records, ids) {
      const { problems } = await kind.load(records);
      const invalid = new Set(problems.map(({ index }) => index));
      const indexes = [...records.keys()].filter((index) => !invalid.has(index));
      await remove(indexes.flatMap((index) => ids[index] ?? []));
      const replaced = await kind.load(indexes.map((index) => records[index]));
      const later = replaced.problems.map((each) => ({ ...each, index: indexes[each.index] ?? each.index }));
      return { ...replaced, problems: [...problems, ...later] };
    },
  };
}

/** The server of a user. */
function serverOf(userId: string): string {
  return userId.slice(userId.indexOf(':') + 1);
}

function kind<Desc extends DescMessage>(
  name: string,
  schema: Desc,
  load: (records: MessageShape<Desc>[]) => Promise<BatchResult>,
): Kind {
  return {
    read: (line) => readShaped(name, schema, parseRecord(line)),
    load: (records) => load(records as MessageShape<Desc>[]),
  };
}

/** Passes a record on as text; the service parses it. */
function recordText(line: string): string {
  if (line.length > RECORD_MAX_LENGTH) throw new Error('the record is too large');
  return line;
}

/** Passes an event on as text, because its content is whatever a client sent; the room service parses it. */
function eventText(line: string): string {
  if (line.length > EVENT_MAX_LENGTH) throw new Error('the event is too large');
  return line;
}
