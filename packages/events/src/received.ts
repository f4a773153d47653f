import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import type { Fact } from './fact.ts';
import type { OutgoingEvent } from './outgoing.ts';

/**
 * An event as a handler receives it: the fields of the envelope, and the fact as a message. With several
 * facts it is a union discriminated by `type`.
 */
export type ReceivedEvent<F extends Fact = Fact> =
  F extends Fact<infer Desc extends DescMessage, infer Type extends string>
    ? Omit<OutgoingEvent, 'type' | 'fact'> & {
        readonly type: Type;
        readonly fact: MessageShape<Desc>;
        /** How often the event has been delivered, including this delivery: 1 for the first. */
        readonly deliveryCount: number;
      }
    : never;

/**
 * Creates the event that a handler receives.
 *
 * @throws Error when the event carries none of the facts, or its fact cannot be parsed
 */
export function receive<F extends Fact>(
  facts: readonly F[],
  event: OutgoingEvent,
  deliveryCount: number,
): ReceivedEvent<F> {
  const fact = facts.find((candidate) => candidate.type === event.type);
  if (!fact) throw new Error(`No handler for ${event.type}`);
  return { ...event, fact: fromBinary(fact.schema, event.fact), deliveryCount } as ReceivedEvent<F>;
}
