import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';

/** Whether the caller sent an event: a suspended account may redact it, and its redaction counts as a message of the caller. */
export async function isOwnEvent(
  { events }: Pick<Deps, 'events'>,
  { userId }: Pick<Requester, 'userId'>,
  eventId: string,
): Promise<boolean> {
  const event = await events.findOne({ _id: eventId }, { projection: { sender: 1 } });
  return event?.sender === userId;
}
