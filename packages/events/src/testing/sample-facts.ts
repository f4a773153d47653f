import { UserCreatedSchema, UserDeactivatedSchema } from '@steward/proto/steward/event/v1/user_pb.ts';
import { declareFact } from '../fact.ts';
import { type OutgoingEvent, outgoing } from '../outgoing.ts';

export const created = declareFact('user.created', UserCreatedSchema);
export const deactivated = declareFact('user.deactivated', UserDeactivatedSchema);

/** The event that carries the creation of an account; its id is `<aggregate>.<sequence>`. */
export function createdEvent(aggregate: string, sequence: number): OutgoingEvent {
  return outgoing(created, { userId: aggregate }, about(aggregate, sequence));
}

/** The event that carries the deactivation of an account; its id is `<aggregate>.<sequence>`. */
export function deactivatedEvent(aggregate: string, sequence: number): OutgoingEvent {
  return outgoing(deactivated, { userId: aggregate, erased: true }, about(aggregate, sequence));
}

function about(aggregate: string, sequence: number) {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  return {
    id: `${aggregate}.${sequence}`,
    timeMs: 5,
    aggregate,
    sequence,
    traceparent,
    requester: '@admin:test',
  };
}
