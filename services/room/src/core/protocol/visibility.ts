import type { Membership, StoredEvent } from './event.ts';

/** The values before and after an event; the same, unless the event changed the value. */
export interface Around<T> {
  readonly before: T;
  readonly after: T;
}

/** The facts on which the visibility of an event for a viewer depends. */
export interface ViewOfEvent {
  readonly viewer: string;
  /** The room's `history_visibility`; `undefined` if it has none. */
  readonly visibility: Around<string | undefined>;
  /** The membership of the viewer; `undefined` without one. */
  readonly membership: Around<Membership | undefined>;
  /** Whether the viewer joined at any time after the event. */
  readonly joinedLater: boolean;
  /** Whether the sender's account was erased. */
  readonly isSenderErased?: boolean;
  /** Whether the viewer ignores the sender; applies to sync and messages, not to single events. */
  readonly isSenderIgnored?: boolean;
  /** Whether the event was soft-failed or rejected when it was imported. */
  readonly isDiscarded?: boolean;
}

/** The visibility of an event for a viewer. */
export type Visibility = 'hidden' | 'redacted' | 'whole';

/** The visibility of an event for a viewer (client-plane.md 6.1). Does not apply to administrators' views. */
export function visibilityOfEvent(
  event: Pick<StoredEvent, 'type' | 'state_key'>,
  view: ViewOfEvent,
): Visibility {
  if (view.isDiscarded) return 'hidden';
  if (view.isSenderIgnored && event.state_key === undefined) return 'hidden';
  const changesVisibility = event.type === 'm.room.history_visibility' && event.state_key === '';
  const isOwnMembership = event.type === 'm.room.member' && event.state_key === view.viewer;
  const visibilities = applicable(view.visibility, changesVisibility);
  const memberships = applicable(view.membership, isOwnMembership);
  const mayRead = visibilities.some((visibility) =>
    memberships.some((membership) => admits(visibility, membership, view.joinedLater)),
  );
  if (!mayRead) return 'hidden';
  return view.isSenderErased && !memberships.includes('join') ? 'redacted' : 'whole';
}

/** The values that apply to an event: both, if the event itself changes the value, otherwise the one before it. */
function applicable<T>({ before, after }: Around<T>, isTheChange: boolean): readonly T[] {
  return isTheChange ? [before, after] : [before];
}

function admits(
  visibility: string | undefined,
  membership: Membership | undefined,
  joinedLater: boolean,
): boolean {
  if (visibility === 'world_readable' || membership === 'join') return true;
  if (visibility === 'joined') return false;
  if (visibility === 'invited') return membership === 'invite';
  return joinedLater;
}

/** The part of a room that a user may read: all, up to the event by which they left, or none (client-plane.md 6.2). */
export type RoomAccess = 'current' | 'until-left' | 'none';

/** The facts on which a user's access to a room depends. */
export interface RoomStanding {
  readonly membership: Membership | undefined;
  /** Whether the user has forgotten the room since they left it. */
  readonly hasForgotten: boolean;
  /** Whether the room's history is `world_readable` now. */
  readonly isWorldReadable: boolean;
}

/** The part of a room's state, members, messages and events that a user may read (client-plane.md 6.2). */
export function roomAccessOf({ membership, hasForgotten, isWorldReadable }: RoomStanding): RoomAccess {
  if (membership === 'join') return 'current';
  if (membership === 'leave' && !hasForgotten) return 'until-left';
  return isWorldReadable ? 'current' : 'none';
}

/** Whether a user may list the aliases of a room (client-plane.md 6.2). */
export function mayListAliases({ membership, isWorldReadable }: RoomStanding): boolean {
  return membership === 'join' || isWorldReadable;
}
