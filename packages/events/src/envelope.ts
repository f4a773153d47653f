import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { EnvelopeSchema } from '@steward/proto/steward/event/v1/envelope_pb.ts';
import type { OutgoingEvent } from './outgoing.ts';

/** Serialises an event with its envelope: what is stored in outboxes and travels over a broker. */
export function toEnvelope(event: OutgoingEvent): Uint8Array {
  const { timeMs, sequence } = event;
  const envelope = create(EnvelopeSchema, { ...event, timeMs: BigInt(timeMs), sequence: BigInt(sequence) });
  return toBinary(EnvelopeSchema, envelope);
}

/**
 * Reads what `toEnvelope` wrote.
 *
 * @throws Error when the bytes are no envelope
 */
export function fromEnvelope(bytes: Uint8Array): OutgoingEvent {
  // A plain array, whatever subclass the bytes came in: what is cut out of it is of its class.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { id, type, timeMs, aggregate, sequence, traceparent, requester, fact } = fromBinary(
    EnvelopeSchema,
    plain,
  );
  if (id === '' || type === '' || aggregate === '') throw new Error('Not the envelope of an event');
  return {
    id,
    type,
    timeMs: Number(timeMs),
    aggregate,
    sequence: Number(sequence),
    traceparent,
    requester,
    fact,
  };
}
