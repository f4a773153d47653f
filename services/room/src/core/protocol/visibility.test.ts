import { describe, expect, it } from 'vitest';
import type { Membership, RoomEvent } from './event.ts';
import { ALICE, BOB, member, roomEvent, state } from './fixtures/room-state.ts';
import { mayListAliases, roomAccessOf, type ViewOfEvent, visibilityOfEvent } from './visibility.ts';

const both = <T>(value: T) => ({ before: value, after: value });

function sight(event: RoomEvent, given: Partial<ViewOfEvent>) {
  return visibilityOfEvent(event, {
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
      sight(roomEvent(), { ...viewer, visibility: both(visibility) }),
    );
    expect(visibilities).toEqual(seen.map((whole) => (whole ? 'whole' : 'hidden')));
  });
});

describe('an own member event', () => {
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
    expect(sight(member(BOB, after), given)).toBe(expected);
  });

  it("is not somebody else's", () => {
    const membership = { before: undefined, after: 'join' } as const;
    expect(sight(member(ALICE, 'join'), { membership, visibility: both('joined') })).toBe('hidden');
  });
});

it.each([
  ['world_readable', 'joined', 'whole'],
  ['joined', 'world_readable', 'whole'],
  ['joined', 'shared', 'hidden'],
])('a change of visibility from %s to %s is %s to strangers', (before, after, expected) => {
  const change = state('m.room.history_visibility', { history_visibility: after });
  expect(sight(change, { visibility: { before, after } })).toBe(expected);
  expect(sight(roomEvent(), { visibility: { before: 'joined', after: 'world_readable' } })).toBe('hidden');
});

it('what an erased sender sent is whole only for those who were there', () => {
  const isSenderErased = true;
  expect(sight(roomEvent(), { isSenderErased, membership: both('join') })).toBe('whole');
  expect(sight(roomEvent(), { isSenderErased, joinedLater: true })).toBe('redacted');
  expect(sight(roomEvent(), { isSenderErased, visibility: both('world_readable') })).toBe('redacted');
  expect(sight(roomEvent(), { isSenderErased })).toBe('hidden');
});

it('what an ignored sender sent is hidden, but not what they changed', () => {
  const given = { isSenderIgnored: true, membership: both('join' as const) };
  expect(sight(roomEvent(), given)).toBe('hidden');
  expect(sight(state('m.room.name', {}), given)).toBe('whole');
});

it('what was discarded is hidden', () => {
  expect(sight(roomEvent(), { isDiscarded: true, visibility: both('world_readable') })).toBe('hidden');
});

it.each<[Membership | undefined, boolean, string, string, boolean]>([
  // Forgotten; access to what is not, and to what is world_readable; aliases of what is not.
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
