import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { EnvelopeSchema } from '@steward/proto/steward/event/v1/envelope_pb.ts';
import type { OutgoingEvent } from './outgoing.ts';

/** Serialises an event with its envelope, for storage in outboxes and transport over a broker. */
export function toEnvelope(event: OutgoingEvent): Uint8Array {
  const { timeMs, sequence } = event;
  const envelope = create(EnvelopeSchema, { ...event, timeMs: BigInt(timeMs), sequence: BigInt(sequence) });
  return toBinary(EnvelopeSchema, envelope);
}

/**
 * Reads what `toEnvelope` wrote.
 *
 * @throws Error when the bytes are not an envelope
 */
export function fromEnvelope(bytes: Uint8Array): OutgoingEvent {
  // A plain array, because slices of it have its class and the caller may pass a subclass such as Buffer.
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
