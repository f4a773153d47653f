import { describe, expect, it } from 'vitest';
import { state, stateOf } from './fixtures/room-state.ts';
import { denyGuestJoin, denyMembershipAction, memberContent } from './membership-action.ts';

it.each([
  ['ban', undefined, undefined],
  ['ban', 'ban', undefined],
  ['invite', 'ban', undefined],
  ['kick', 'join', undefined],
  ['kick', 'invite', undefined],
  ['kick', 'knock', undefined],
  ['kick', 'leave', 'forbidden'],
  ['kick', 'ban', 'forbidden'],
  ['kick', undefined, 'forbidden'],
  ['unban', 'ban', undefined],
  ['unban', 'join', 'badState'],
  ['unban', 'leave', 'badState'],
  ['unban', undefined, 'badState'],
] as const)('to %s from %s: %s', (action, before, refusal) => {
  expect(denyMembershipAction(action, before)?.refusal).toBe(refusal);
});

it('guests may join if the guest access is can_join', () => {
  const access = (guest_access: unknown) =>
    denyGuestJoin(stateOf(state('m.room.guest_access', { guest_access })));
  expect(access('can_join')).toBeUndefined();
  expect(access('forbidden')?.refusal).toBe('forbidden');
  expect(access(['can_join'])?.refusal).toBe('forbidden');
  expect(denyGuestJoin(stateOf())?.refusal).toBe('forbidden');
});

describe('a member event', () => {
  const profile = { displayName: 'Alice', avatarUrl: 'mxc://test/a' };

  it.each(['join', 'invite', 'knock'] as const)('shows the profile with the membership %s', (membership) => {
    expect(memberContent(membership, profile)).toEqual({
      displayname: 'Alice',
      avatar_url: 'mxc://test/a',
      membership,
    });
    expect(memberContent(membership, { displayName: null })).toEqual({ membership });
  });

  it.each(['leave', 'ban'] as const)('shows none with the membership %s', (membership) => {
    expect(memberContent(membership, profile, { reason: 'a' })).toEqual({ membership, reason: 'a' });
  });

  it('keeps the content from the client, apart from authoriser and membership', () => {
    const given = {
      displayname: 'A',
      reason: 'b',
      is_direct: true,
      membership: 'ban',
      join_authorised_via_users_server: '@a:b',
    };
    expect(memberContent('invite', profile, given)).toEqual({
      displayname: 'A',
      avatar_url: 'mxc://test/a',
      reason: 'b',
      is_direct: true,
      membership: 'invite',
    });
    expect(memberContent('join', {}, given, '@c:d')).toMatchObject({
      join_authorised_via_users_server: '@c:d',
    });
  });
});
