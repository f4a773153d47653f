import { expect, it } from 'vitest';
import { deletionOf, USUAL_DELETION } from './deletion-options.ts';

it('a deletion names only the options that were chosen, because some require further scopes', () => {
  expect(deletionOf('!a:test', USUAL_DELETION)).toEqual({ room_id: '!a:test', purge: true });
  expect(deletionOf('!a:test', { ...USUAL_DELETION, purge: false, forcePurge: true, block: true })).toEqual({
    room_id: '!a:test',
    purge: false,
    block: true,
  });
});

it('a deletion that moves the members needs the user who creates the new room', () => {
  const move = { ...USUAL_DELETION, move: true, newRoomName: ' New ' };
  expect(deletionOf('!a:test', move)).toBeUndefined();
  expect(deletionOf('!a:test', { ...move, newRoomUser: '@a:test' })).toEqual({
    room_id: '!a:test',
    purge: true,
    new_room_user_id: '@a:test',
    room_name: 'New',
  });
});
