import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import { createClient } from '@connectrpc/connect';
import {
  ImportedHashSchema,
  ImportService as MediaImportService,
} from '@steward/proto/steward/media/v1/import_pb.ts';
import {
  ImportedReportSchema,
  ImportService as ModerationImportService,
} from '@steward/proto/steward/moderation/v1/import_pb.ts';
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
import type { BatchResult, Kind } from './kind.ts';
import { mediaKind } from './media-kind.ts';
import type { OpenServices } from './open-services.ts';
import { parseObject, toRecord } from './read-record.ts';
import { formatOf } from './record-formats.ts';

/** The longest record of an event, in characters: far longer than a valid event. */
const EVENT_MAX_LENGTH = 1024 * 1024;

/** The fields of records that no message has. */
const othersOf = (name: string): ReadonlySet<string> =>
  new Set(formatOf(name).others.map((field) => field.name));

/** The kinds of records by the name of their file, in the order in which an administrator loads them. */
export const KINDS: ReadonlyMap<string, (services: OpenServices, directory: string) => Kind> = new Map<
  string,
  (services: OpenServices, directory: string) => Kind
>([
  [
    'roles',
    ({ user }) => {
      const client = createClient(ImportService, user);
      return kind(ImportedRoleSchema, (roles) => client.importRoles({ roles }));
    },
  ],
  [
    'users',
    ({ user }) => {
      const client = createClient(ImportService, user);
      // Of two accounts with one address, that of the earlier line gets it.
      return { ...kind(ImportedUserSchema, (users) => client.importUsers({ users })), inOrder: true };
    },
  ],
  [
    'devices',
    ({ user }) => {
      const client = createClient(ImportService, user);
      return kind(ImportedDeviceSchema, (devices) => client.importDevices({ devices }));
    },
  ],
  [
    'rooms',
    ({ room }) => {
      const client = createClient(RoomImportService, room());
      return kind(ImportedRoomSchema, (rooms) => client.importRooms({ rooms }), othersOf('rooms'));
    },
  ],
  [
    'members',
    ({ room }) => {
      const client = createClient(RoomImportService, room());
      return kind(ImportedMemberSchema, (members) => client.importMembers({ members }), othersOf('members'));
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
  ['media', ({ media }, directory) => mediaKind(media(), directory)],
  [
    'media_hashes',
    ({ media }) => {
      const client = createClient(MediaImportService, media());
      return kind(ImportedHashSchema, (hashes) => client.importHashes({ hashes }));
    },
  ],
  [
    'reports',
    ({ moderation }) => {
      const client = createClient(ModerationImportService, moderation());
      return kind(ImportedReportSchema, (reports) => client.importReports({ reports }));
    },
  ],
]);

function kind<Desc extends DescMessage>(
  schema: Desc,
  load: (records: MessageShape<Desc>[]) => Promise<BatchResult>,
  others?: ReadonlySet<string>,
): Kind {
  return {
    read: (line) => toRecord(schema, parseObject(line), others),
    load: (records) => load(records as MessageShape<Desc>[]),
  };
}

/** Passes an event on as text, because its content is whatever a client sent; the room service parses it. */
function eventText(line: string): string {
  if (line.length > EVENT_MAX_LENGTH) throw new Error('the event is too large');
  return line;
}
