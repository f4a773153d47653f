import { eventTypes } from '@steward/feed';
import { hasScope, type Rights } from '@steward/rpc';
import type { FeedEvent } from './feed-event.ts';

/** Selects events of the feed. All that is given must match. */
export interface EventFilter {
  /** Types, see `typesMatching`. All types unless given. */
  readonly types?: ReadonlySet<string> | undefined;
  readonly target?: string | undefined;
  /** Empty for changes without an actor. */
  readonly actor?: string | undefined;
  /** The rights of the reader, who sees only events with one of their scopes. */
  readonly rights: Rights;
}

/** Selects all events, for work of the server itself. */
export const EVERYTHING = { rights: { admin: true } } as const satisfies EventFilter;

/**
 * The types of events that a pattern stands for: a type, or the beginning of types with a star, `account.*`.
 *
 * @returns an empty list for a pattern that stands for no type of this release
 */
export function typesMatching(pattern: string): readonly string[] {
  if (eventTypes.has(pattern)) return [pattern];
  if (!pattern.endsWith('.*')) return [];
  return [...eventTypes.keys()].filter((type) => type.startsWith(pattern.slice(0, -1)));
}

/** Whether a filter selects an event. */
export function selects({ types, target, actor, rights }: EventFilter, event: FeedEvent): boolean {
  return (
    hasScope(rights, event.scope) &&
    (types?.has(event.type) ?? true) &&
    (actor === undefined || (event.actor ?? '') === actor) &&
    (target === undefined || event.targets.includes(target))
  );
}
