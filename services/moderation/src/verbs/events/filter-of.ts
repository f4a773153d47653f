import { targetText } from '@steward/audit';
import { refuse } from '@steward/errors';
import type { ListEventsRequest } from '@steward/proto/steward/moderation/v1/events_pb.ts';
import { type EventFilter, typesMatching } from '../../core/feed/event-filter.ts';

/**
 * The filter of a request, without the rights of its caller.
 *
 * @throws refuse.invalidParam for a type that no event has
 */
export function filterOf({
  type,
  target,
  actor,
}: Pick<ListEventsRequest, 'type' | 'target' | 'actor'>): Omit<EventFilter, 'rights'> {
  return {
    ...(type.length === 0 ? {} : { types: new Set(type.flatMap(typesOf)) }),
    ...(target === undefined ? {} : { target: targetText(target) }),
    ...(actor === undefined ? {} : { actor: targetText(actor) }),
  };
}

function typesOf(pattern: string): readonly string[] {
  const types = typesMatching(pattern);
  if (types.length === 0) throw refuse.invalidParam(`There is no event type ${pattern}`);
  return types;
}
