import type { Membership, RoomEvent } from './event.ts';

/** A pair of what held before an event and what holds after it; the same, unless the event changed it. */
export interface Around<T> {
  readonly before: T;
  readonly after: T;
}

/** What decides over whether a viewer may read an event. */
export interface ViewOfEvent {
  readonly viewer: string;
  /** The room's `history_visibility`; `undefined` where it has none. */
  readonly visibility: Around<string | undefined>;
  /** What the viewer was in the room; `undefined` for no member. */
  readonly membership: Around<Membership | undefined>;
  /** Whether the viewer joined at any time after the event, whatever happened since. */
  readonly joinedLater: boolean;
  /** Whether the sender's account was erased. */
  readonly isSenderErased?: boolean;
  /** Whether the viewer ignores the sender, where that counts: in sync and messages, not for single events. */
  readonly isSenderIgnored?: boolean;
  /** Whether the event was soft-failed or rejected when it was imported. */
  readonly isDiscarded?: boolean;
}

/** What a viewer gets to see of an event. */
export type Visibility = 'hidden' | 'redacted' | 'whole';

/** What a viewer gets to see of an event (client-plane.md 6.1). Administrators' views do not ask. */
export function visibilityOfEvent({ event }: RoomEvent, view: ViewOfEvent): Visibility {
  if (view.isDiscarded) return 'hidden';
  if (view.isSenderIgnored && event.state_key === undefined) return 'hidden';
  const changesVisibility = event.type === 'm.room.history_visibility' && event.state_key === '';
  const isOwnMembership = event.type === 'm.room.member' && event.state_key === view.viewer;
  const visibilities = sides(view.visibility, changesVisibility);
  const memberships = sides(view.membership, isOwnMembership);
  const mayRead = visibilities.some((visibility) =>
    memberships.some((membership) => admits(visibility, membership, view.joinedLater)),
  );
  if (!mayRead) return 'hidden';
  return view.isSenderErased && !memberships.includes('join') ? 'redacted' : 'whole';
}

/** What held at an event: either side of it if it is itself the change, and else what held before it. */
function sides<T>({ before, after }: Around<T>, isTheChange: boolean): readonly T[] {
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

/** How much of a room somebody may read: all, up to when they left, or nothing (client-plane.md 6.2). */
export type RoomAccess = 'current' | 'until-left' | 'none';

/** What somebody is in a room, and what the room says of strangers. */
export interface RoomStanding {
  readonly membership: Membership | undefined;
  /** Whether the user has forgotten the room since they left it. */
  readonly hasForgotten: boolean;
  /** Whether the room's history is `world_readable` now. */
  readonly isWorldReadable: boolean;
}

/** How much of a room somebody may read: its state, members, messages and events (client-plane.md 6.2). */
export function roomAccessOf({ membership, hasForgotten, isWorldReadable }: RoomStanding): RoomAccess {
  if (membership === 'join') return 'current';
  if (membership === 'leave' && !hasForgotten) return 'until-left';
  return isWorldReadable ? 'current' : 'none';
}

/** Whether somebody may list the aliases of a room (client-plane.md 6.2). */
export function mayListAliases({ membership, isWorldReadable }: RoomStanding): boolean {
  return membership === 'join' || isWorldReadable;
}
