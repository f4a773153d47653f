import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import { eventOccurred, type OutgoingEvent, outgoing } from '@steward/events';
import { eventTypeOf } from './event-types.ts';
import { type PayloadValues, writePayload } from './write-payload.ts';

/** What an event says besides its payload, and what orders the fact that carries it. */
export interface Occurrence extends Omit<OutgoingEvent, 'type' | 'fact'> {
  /** Who caused it, as in the audit log; empty when the server itself did. */
  readonly actor: string;
  /** The id of the HTTP request that caused it; empty for none. */
  readonly requestId?: string;
  /** The task that it is about; empty for none. */
  readonly taskId?: string;
  /** The ids of what it is about. */
  readonly targets: readonly string[];
}

/**
 * The fact that an event of the feed occurred, for events that no recorded administrative call makes. The event has the id of the
 * fact.
 *
 * @throws TypeError when the message is not a payload, or what `outgoing` throws
 */
export function occurrence<Desc extends DescMessage>(
  payload: Desc,
  data: MessageInitShape<Desc>,
  { actor, requestId = '', taskId = '', targets, ...about }: Occurrence,
): OutgoingEvent {
  const { id, timeMs } = about;
  const { type } = eventTypeOf(payload);
  const dataJson = writePayload(payload, data as PayloadValues);
  return outgoing(
    eventOccurred,
    { id, type, timeMs: BigInt(timeMs), actor, requestId, taskId, targets: [...targets], dataJson },
    about,
  );
}
