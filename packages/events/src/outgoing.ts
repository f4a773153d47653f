import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import type { Fact } from './fact.ts';

/** A serialised fact in transit, with the data to order, deduplicate and trace it. */
export interface OutgoingEvent {
  /** Unique, and the same in every publication and delivery of the event. */
  readonly id: string;
  /** The name of the fact. */
  readonly type: string;
  /** When it happened, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  /** The id of the document that changed. */
  readonly aggregate: string;
  /**
   * The version of that document. Events of one aggregate are delivered in this order; those of one
   * version in the order of their ids.
   */
  readonly sequence: number;
  /** W3C trace context of the request that caused it; may be empty. */
  readonly traceparent: string;
  /** The id of the user whose request caused it; empty when the server itself did. */
  readonly requester: string;
  /** The fact, serialised. */
  readonly fact: Uint8Array;
}

/**
 * Creates the event that carries a fact.
 *
 * @throws TypeError when the id or the aggregate is empty, or a number is not a safe integer
 */
export function outgoing<Desc extends DescMessage>(
  fact: Fact<Desc>,
  message: MessageInitShape<Desc>,
  about: Omit<OutgoingEvent, 'type' | 'fact'>,
): OutgoingEvent {
  const { id, timeMs, aggregate, sequence, traceparent, requester } = about;
  const fail = (what: string): never => {
    throw new TypeError(`Event ${fact.type}: ${what}`);
  };
  if (id === '') fail('id is empty');
  if (aggregate === '') fail('aggregate is empty');
  if (!Number.isSafeInteger(timeMs)) fail('timeMs is not a safe integer');
  if (!Number.isSafeInteger(sequence)) fail('sequence is not a safe integer');
  const bytes = toBinary(fact.schema, create(fact.schema, message));
  return { id, type: fact.type, timeMs, aggregate, sequence, traceparent, requester, fact: bytes };
}
