import { describe, expect, it } from 'vitest';
import { isUserId } from '../../../ui/user-id.ts';
import { isRoomId } from '../room/is-room-id.ts';
import { problemOf } from './room-filters.ts';
import { nextOrder, orderOf, shownSort } from './room-sort.ts';

describe('the filters of the list of rooms', () => {
  it.each([
    [{ members_min: '3', members_max: '12' }, undefined],
    [{ members_min: '12', members_max: '3' }, 'members_contradict'],
    [
      { last_activity_after: '2026-02-01T00:00', last_activity_before: '2026-01-01T00:00' },
      'activity_contradicts',
    ],
    [{ space: '!spa' }, 'space_malformed'],
    [{ space: '!space:example.org' }, undefined],
  ])(
    'the filters of the list of rooms are not sent where the server would refuse them: %j',
    (search, problem) => {
      expect(problemOf(search)).toBe(problem);
    },
  );

  it.each([
    ['!a:test', true],
    [`!${'a'.repeat(43)}`, true],
    ['!a:[::1]:8448', true],
    ['!a', false],
    ['!a:te st', false],
    ['#a:test', false],
    [`!${'a'.repeat(250)}:test`, false],
  ])('take %j for the id of a room: %j', (id, is) => expect(isRoomId(id)).toBe(is));

  it.each([
    ['@a:test', true],
    ['@a', false],
    [`@${'ä'.repeat(124)}:test`, true],
    [`@${'ä'.repeat(125)}:test`, false],
  ])('take %j for the id of a user: %j', (id, is) => expect(isUserId(id)).toBe(is));
});

describe('the order of the list of rooms', () => {
  it('the order of the list of rooms is the one in which the server answers the filters, or that of the URL', () => {
    expect(orderOf({})).toEqual({ order_by: 'name', dir: 'f' });
    expect(orderOf({ members_min: '1' })).toEqual({ order_by: 'joined_members', dir: 'f' });
    expect(orderOf({ last_activity_after: '2026-01-01T00:00', members_min: '1' })).toEqual({
      order_by: 'last_activity',
      dir: 'f',
    });
    expect(orderOf({ order_by: 'bytes', dir: 'b' })).toEqual({ order_by: 'bytes', dir: 'b' });
    expect(orderOf({ order_by: 'toString' })).toEqual({ order_by: 'name', dir: 'f' });
  });

  it('begins with the greatest numbers, and shows them as descending', () => {
    const byMembers = nextOrder(orderOf({}), 'joined_members');
    expect(byMembers).toEqual({ order_by: 'joined_members', dir: 'f' });
    expect(shownSort(byMembers)).toEqual({ by: 'joined_members', dir: 'b' });
    expect(shownSort(nextOrder(byMembers, 'joined_members'))).toEqual({ by: 'joined_members', dir: 'f' });
    expect(shownSort(orderOf({}))).toEqual({ by: 'name', dir: 'f' });
  });
});
