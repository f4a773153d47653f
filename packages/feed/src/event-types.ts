import { type DescFile, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf';
import { file_steward_feed_v1_access } from '@steward/proto/steward/feed/v1/access_pb.ts';
import { file_steward_feed_v1_accounts } from '@steward/proto/steward/feed/v1/accounts_pb.ts';
import { EventSchema } from '@steward/proto/steward/feed/v1/event_pb.ts';
import { file_steward_feed_v1_media } from '@steward/proto/steward/feed/v1/media_pb.ts';
import {
  file_steward_feed_v1_moderation,
  RequestUnresolvedSchema,
} from '@steward/proto/steward/feed/v1/moderation_pb.ts';
import { file_steward_feed_v1_reports } from '@steward/proto/steward/feed/v1/reports_pb.ts';
import { file_steward_feed_v1_rooms } from '@steward/proto/steward/feed/v1/rooms_pb.ts';
import { event } from '@steward/proto/steward/feed/v1/rules_pb.ts';
import { file_steward_feed_v1_server } from '@steward/proto/steward/feed/v1/server_pb.ts';
import { file_steward_feed_v1_tasks } from '@steward/proto/steward/feed/v1/tasks_pb.ts';
import { file_steward_feed_v1_webhooks } from '@steward/proto/steward/feed/v1/webhooks_pb.ts';
import { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';

/** The message of every event: the envelope, whose `data` contains the payload of its type. */
export const eventMessage: DescMessage = EventSchema;

/** A type of events. */
export interface EventType {
  /** Lower case, dotted: `account.created`. */
  readonly type: string;
  /** The scope without which a caller does not see events of the type. */
  readonly scope: Scope;
  /** The message that `data` contains. */
  readonly payload: DescMessage;
}

/** The files with the payloads, in the order of the documentation. */
const FILES: readonly DescFile[] = [
  file_steward_feed_v1_accounts,
  file_steward_feed_v1_rooms,
  file_steward_feed_v1_media,
  file_steward_feed_v1_moderation,
  file_steward_feed_v1_reports,
  file_steward_feed_v1_tasks,
  file_steward_feed_v1_access,
  file_steward_feed_v1_webhooks,
  file_steward_feed_v1_server,
];

const TYPE = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

/** All types of events, by their names. Each is declared by its payload in proto/steward/feed/v1. */
export const eventTypes: ReadonlyMap<string, EventType> = new Map(
  FILES.flatMap(({ messages }) => messages)
    .map(declared)
    .map((each) => [each.type, each]),
);

const byPayload = new Map([...eventTypes.values()].map((each) => [each.payload, each]));

const unresolved = eventTypeOf(RequestUnresolvedSchema).type;

/**
 * The type of events whose payload is the message.
 *
 * @throws TypeError when it is the payload of none
 */
export function eventTypeOf(payload: DescMessage): EventType {
  const found = byPayload.get(payload);
  if (!found) throw new TypeError(`${payload.typeName} is the payload of no type of events`);
  return found;
}

/**
 * The scope without which a caller does not see an event: that of its type; of `request.unresolved` that of the event which the
 * request would have made. Only callers with all scopes see events of types that this release does not know.
 *
 * @param data the payload
 */
export function scopeOfEvent(type: string, data: Readonly<Record<string, unknown>>): Scope {
  const { event_type: missing } = data;
  const about = type === unresolved && typeof missing === 'string' ? missing : type;
  return eventTypes.get(about)?.scope ?? Scope.UNSPECIFIED;
}

function declared(payload: DescMessage): EventType {
  if (!hasOption(payload, event)) throw new TypeError(`${payload.typeName} declares no type of events`);
  const { type, scope } = getOption(payload, event);
  if (!TYPE.test(type)) throw new TypeError(`The type ${type} is not of the form noun.verb`);
  if (scope === Scope.UNSPECIFIED) throw new TypeError(`The type ${type} declares no scope`);
  return { type, scope, payload };
}
