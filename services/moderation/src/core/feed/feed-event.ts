import { targetText } from '@steward/audit';
import { scopeOfEvent } from '@steward/feed';
import type { JsonObject } from '@steward/kernel';
import type { Scope } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import type { StoredEvent } from '../model/feed-event.ts';

/** An event that is to be appended to the feed. */
export interface NewEvent {
  /** Unique: an event whose id the feed has is not appended again. At most 255 bytes. */
  readonly id: string;
  /** Dotted, in lower case: `account.deactivated`. */
  readonly type: string;
  /** When the change was made, in milliseconds since the Unix epoch. */
  readonly time: number;
  /** As in the audit log; null when the server made the change, or a caller with the shared secret. */
  readonly actor: string | null;
  readonly requestId: string | null;
  readonly taskId: string | null;
  /** As in the audit log. More than 100 are left out. */
  readonly targets: readonly string[];
  /** JSON: an object. One of more than 4 KiB is replaced by an empty one. */
  readonly data: string;
}

/** An event of the feed. */
export interface FeedEvent extends NewEvent {
  /** Its place in the feed, from 1, without gaps. */
  readonly position: number;
  /** The scope without which a caller does not see it; unspecified for one that only callers with all scopes see. */
  readonly scope: Scope;
}

const MAX_TARGETS = 100;
const MAX_DATA_BYTES = 4_096;
const MAX_ID_BYTES = 255;

/** The id of the event that follows from something with an id of its own: a request, a fact, a report. */
export function eventId(source: string): string {
  return `evt_${source}`;
}

/** The document of a new event, bounded in size. */
export function storedEvent(event: NewEvent, storedTs: number): StoredEvent {
  const { id, type, time, actor, requestId, taskId, targets, data } = event;
  const length = Buffer.byteLength(id);
  if (length === 0 || length > MAX_ID_BYTES)
    throw new TypeError(`An event of the type ${type} has an id of ${length} bytes`);
  // The text is short enough wherever its sources keep to their contract.
  const bounded = Buffer.byteLength(data) > MAX_DATA_BYTES ? '{}' : data;
  return {
    _id: id,
    stored_ts: storedTs,
    type,
    scope: scopeOfEvent(type, JSON.parse(bounded) as JsonObject),
    time,
    actor: targetText(actor ?? ''),
    request_id: targetText(requestId ?? ''),
    task_id: targetText(taskId ?? ''),
    targets: [...new Set(targets.slice(0, MAX_TARGETS).map(targetText))],
    data: bounded,
  };
}

/** The event in a document that has its position. */
export function feedEvent(stored: StoredEvent): FeedEvent {
  const { _id: id, position = 0, type, scope, time, actor, request_id, task_id, targets, data } = stored;
  return {
    id,
    position,
    type,
    scope,
    time,
    actor: actor === '' ? null : actor,
    requestId: request_id === '' ? null : request_id,
    taskId: task_id === '' ? null : task_id,
    targets,
    data,
  };
}

/** An event as its JSON, the same wherever it is delivered; the fields are those of `steward.feed.v1.Event`. */
export function envelopeJson({ requestId, taskId, data, ...event }: FeedEvent): string {
  const { id, position, type, time, actor, targets } = event;
  const head = { id, position, type, time, actor, request_id: requestId };
  const about = { ...head, ...(taskId === null ? {} : { task_id: taskId }), targets };
  return `${JSON.stringify(about).slice(0, -1)},"data":${data}}`;
}
