import { type DescMessage, fromBinary, type MessageShape } from '@bufbuild/protobuf';
import type { Fact } from './fact.ts';
import type { OutgoingEvent } from './outgoing.ts';

/**
 * An event as a handler gets it: the fields of the envelope, and the fact as a message. With several
 * facts it is a union that `type` tells apart.
 */
export type ReceivedEvent<F extends Fact = Fact> =
  F extends Fact<infer Desc extends DescMessage, infer Type extends string>
    ? Omit<OutgoingEvent, 'type' | 'fact'> & {
        readonly type: Type;
        readonly fact: MessageShape<Desc>;
        /** How often the event has been handed out, this time included: 1 for the first time. */
        readonly deliveryCount: number;
      }
    : never;

/**
 * Makes what a handler gets.
 *
 * @throws Error when the event is of none of the facts, or its fact cannot be read
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
