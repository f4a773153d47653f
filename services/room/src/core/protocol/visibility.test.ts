import { describe, expect, it } from 'vitest';
import type { Membership, RoomEvent } from './event.ts';
import { ALICE, BOB, member, roomEvent, state } from './fixtures/room-state.ts';
import { mayListAliases, roomAccessOf, type ViewOfEvent, visibilityOfEvent } from './visibility.ts';

const both = <T>(value: T) => ({ before: value, after: value });

function visibilityFor(event: RoomEvent, given: Partial<ViewOfEvent>) {
  return visibilityOfEvent(event.event, {
    viewer: BOB,
    visibility: both('shared'),
    membership: both(undefined),
    joinedLater: false,
    ...given,
  });
}

describe('a message', () => {
  const viewers: Partial<ViewOfEvent>[] = [
    { membership: both('join') },
    { membership: both('join'), joinedLater: true },
    { membership: both('invite') },
    { membership: both('invite'), joinedLater: true },
    { joinedLater: true },
    { membership: both('leave'), joinedLater: true },
    { membership: both('leave') },
    { membership: both('ban') },
    { membership: both('knock') },
    {},
  ];

  it.each<[string | undefined, number[]]>([
    ['world_readable', [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ['shared', [1, 1, 0, 1, 1, 1, 0, 0, 0, 0]],
    [undefined, [1, 1, 0, 1, 1, 1, 0, 0, 0, 0]],
    ['something', [1, 1, 0, 1, 1, 1, 0, 0, 0, 0]],
    ['invited', [1, 1, 1, 1, 0, 0, 0, 0, 0, 0]],
    ['joined', [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
  ])('in a room that is %s', (visibility, seen) => {
    const visibilities = viewers.map((viewer) =>
      visibilityFor(roomEvent(), { ...viewer, visibility: both(visibility) }),
    );
    expect(visibilities).toEqual(seen.map((whole) => (whole ? 'whole' : 'hidden')));
  });
});

describe("the viewer's own member event", () => {
  it.each<[string, Membership | undefined, Membership, string, string]>([
    ['joining', undefined, 'join', 'joined', 'whole'],
    ['leaving', 'join', 'leave', 'joined', 'whole'],
    ['being banned', 'join', 'ban', 'joined', 'whole'],
    ['being invited', undefined, 'invite', 'invited', 'whole'],
    ['being invited', undefined, 'invite', 'joined', 'hidden'],
    ['rejecting', 'invite', 'leave', 'invited', 'whole'],
    ['rejecting', 'invite', 'leave', 'shared', 'hidden'],
  ])('%s from %s to %s where it is %s: %s', (_, before, after, visibility, expected) => {
    const given = { membership: { before, after }, visibility: both(visibility) };
    expect(visibilityFor(member(BOB, after), given)).toBe(expected);
  });

  it("does not include another user's member event", () => {
    const membership = { before: undefined, after: 'join' } as const;
    expect(visibilityFor(member(ALICE, 'join'), { membership, visibility: both('joined') })).toBe('hidden');
  });
});

it.each([
  ['world_readable', 'joined', 'whole'],
  ['joined', 'world_readable', 'whole'],
  ['joined', 'shared', 'hidden'],
])('a change of visibility from %s to %s is %s to users without membership', (before, after, expected) => {
  const change = state('m.room.history_visibility', { history_visibility: after });
  expect(visibilityFor(change, { visibility: { before, after } })).toBe(expected);
  expect(visibilityFor(roomEvent(), { visibility: { before: 'joined', after: 'world_readable' } })).toBe(
    'hidden',
  );
});

it('an event of an erased sender is whole only for users who were joined', () => {
  const isSenderErased = true;
  expect(visibilityFor(roomEvent(), { isSenderErased, membership: both('join') })).toBe('whole');
  expect(visibilityFor(roomEvent(), { isSenderErased, joinedLater: true })).toBe('redacted');
  expect(visibilityFor(roomEvent(), { isSenderErased, visibility: both('world_readable') })).toBe('redacted');
  expect(visibilityFor(roomEvent(), { isSenderErased })).toBe('hidden');
});

it('messages of an ignored sender are hidden, but not state events', () => {
  const given = { isSenderIgnored: true, membership: both('join' as const) };
  expect(visibilityFor(roomEvent(), given)).toBe('hidden');
  expect(visibilityFor(state('m.room.name', {}), given)).toBe('whole');
});

it('a discarded event is hidden', () => {
  expect(visibilityFor(roomEvent(), { isDiscarded: true, visibility: both('world_readable') })).toBe(
    'hidden',
  );
});

it.each<[Membership | undefined, boolean, string, string, boolean]>([
  // Whether forgotten; the access if not world_readable, and if so; whether aliases are listed if not world_readable.
  ['join', false, 'current', 'current', true],
  ['leave', false, 'until-left', 'until-left', false],
  ['leave', true, 'none', 'current', false],
  ['ban', false, 'none', 'current', false],
  ['ban', true, 'none', 'current', false],
  ['invite', false, 'none', 'current', false],
  ['knock', false, 'none', 'current', false],
  [undefined, false, 'none', 'current', false],
])('the access of %s (forgotten: %s)', (membership, hasForgotten, closed, open, aliases) => {
  const standing = { membership, hasForgotten, isWorldReadable: false };
  expect(roomAccessOf(standing)).toBe(closed);
  expect(roomAccessOf({ ...standing, isWorldReadable: true })).toBe(open);
  expect(mayListAliases(standing)).toBe(aliases);
  expect(mayListAliases({ ...standing, isWorldReadable: true })).toBe(true);
});
