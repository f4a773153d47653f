import { eventOccurred } from './facts.ts';
import { type OutgoingEvent, outgoing } from './outgoing.ts';

/** Encodes the bus's id of a dead letter for administrators, because it may contain characters that paths cannot. */
export function toDeadLetterId(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** Decodes an id to that of the bus; an invalid one becomes the id of no dead letter. */
export function fromDeadLetterId(encoded: string): string {
  return Buffer.from(encoded, 'base64url').toString();
}

/**
 * The event of the feed that a fact became a dead letter; `undefined` for a fact that is itself an event of the feed, so that a feed
 * that fails does not feed itself.
 *
 * @param id the bus's id of the dead letter
 * @param delivery differs between the dead letters that have this id one after the other
 */
export function deadLetterCreated(
  id: string,
  delivery: string,
  durable: string,
  { type, aggregate }: OutgoingEvent,
  timeMs: number,
): OutgoingEvent | undefined {
  if (type === eventOccurred.type) return undefined;
  const letterId = toDeadLetterId(id);
  const about = {
    id: `dead_letter.${durable}.${delivery}`,
    timeMs,
    aggregate: `dead_letter ${letterId}`,
    sequence: timeMs,
    traceparent: '',
    requester: '',
  };
  const message = {
    id: about.id,
    type: 'dead_letter.created',
    timeMs: BigInt(timeMs),
    targets: [letterId, aggregate],
    dataJson: JSON.stringify({ letter_id: letterId, consumer: durable, fact: type }),
  };
  return outgoing(eventOccurred, message, about);
}
