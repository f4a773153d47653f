import type { AuditEntry } from '../model/audit-entry.ts';
import { eventId, type NewEvent } from './feed-event.ts';

/** The type of the events of requests whose outcome is not known. */
const UNRESOLVED = 'request.unresolved';

/** What the id of such an event ends with when the outcome can still arrive, which makes another one. */
const SUFFIX = '.unresolved';

/** What is known of a request without a known outcome: the payload of its event. */
export interface Unresolved {
  readonly action: string;
  readonly event_type: string;
  readonly outcome: 'failed' | 'unknown';
}

/** The event of a request that may have made a change: in place of the event that it would have made. */
export function unresolvedEvent(event: Omit<NewEvent, 'type' | 'data'>, request: Unresolved): NewEvent {
  return { ...event, type: UNRESOLVED, data: JSON.stringify(request) };
}

/** The event of a request that waits for its outcome no longer; undefined if it would have made none. */
export function eventOfSealed(entry: AuditEntry): NewEvent | undefined {
  const { _id, action, actor, event_type, request_id, targets, ts } = entry;
  if (event_type === undefined) return undefined;
  const event = {
    id: `${eventId(_id)}${SUFFIX}`,
    time: ts,
    actor: actor || null,
    requestId: request_id || null,
    taskId: null,
    targets,
  };
  return unresolvedEvent(event, { action, event_type, outcome: 'unknown' });
}
