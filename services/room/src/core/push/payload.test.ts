import { describe, expect, it } from 'vitest';
import type { PushTarget } from '../../peers/push-targets.ts';
import type { EventDocument } from '../model/event-document.ts';
import type { Room } from '../model/room.ts';
import { badgeOf, notificationOf, rejects } from './payload.ts';

const target: PushTarget = {
  id: '["@bob:test","app","key"]',
  userId: '@bob:test',
  appId: 'app',
  pushkey: 'key',
  setTs: 12_345,
  profileTag: '',
  url: 'https://push.example.org/_matrix/push/v1/notify',
  idsOnly: false,
  data: { brand: 'x' },
  paused: false,
};
const room = { _id: '!r:test', name: 'Talk', canonical_alias: '#talk:test' } as Room;
const documentOf = (type: string, content: object, stateKey?: string) =>
  ({
    _id: '$e',
    room_id: '!r:test',
    room_version: '11',
    type,
    sender: '@alice:test',
    ...(stateKey === undefined ? {} : { state_key: stateKey }),
    json: JSON.stringify({ type, sender: '@alice:test', content }),
  }) as unknown as EventDocument;
const effectOf = (...actions: readonly unknown[]) => ({ notifies: true, highlights: false, actions });
const device = { app_id: 'app', pushkey: 'key', pushkey_ts: 12, data: { brand: 'x' } };

describe('a notification', () => {
  const pushed = {
    room,
    document: documentOf('m.room.message', { body: 'hello' }),
    effect: effectOf(
      'notify',
      { set_tweak: 'sound', value: 'default' },
      { set_tweak: 'highlight', value: false },
    ),
    senderName: 'Alice',
    unread: 3,
  };
  const about = { event_id: '$e', room_id: '!r:test', counts: { unread: 3 } };

  it('has the event, the names, and the tweaks of the rule', () => {
    expect(notificationOf(target, pushed)).toEqual({
      ...about,
      prio: 'high',
      type: 'm.room.message',
      sender: '@alice:test',
      sender_display_name: 'Alice',
      room_name: 'Talk',
      room_alias: '#talk:test',
      content: { body: 'hello' },
      devices: [{ ...device, tweaks: { sound: 'default' } }],
    });
  });

  it('has nothing of the event but its ids for a pusher that asks for these', () => {
    const notification = notificationOf({ ...target, idsOnly: true }, pushed);
    expect(notification).toEqual({ ...about, prio: 'high', devices: [device] });
  });

  it('is urgent for sounds, highlights and encrypted events only', () => {
    const prio = (type: string, effect: object) =>
      notificationOf(target, {
        ...pushed,
        document: documentOf(type, {}),
        effect: { ...effectOf('notify'), ...effect },
      });
    expect(prio('m.room.message', {})).toMatchObject({ prio: 'low' });
    expect(prio('m.room.encrypted', {})).toMatchObject({ prio: 'high' });
    expect(prio('m.room.message', { highlights: true })).toMatchObject({
      prio: 'high',
      devices: [{ tweaks: { highlight: true } }],
    });
  });

  it('says whether a membership is that of its user', () => {
    const document = documentOf('m.room.member', { membership: 'invite' }, '@bob:test');
    const notification = notificationOf(target, { ...pushed, document });
    expect(notification).toMatchObject({ user_is_target: true, membership: 'invite' });
  });

  it('has the number alone when less is unread', () => {
    expect(badgeOf({ ...target, setTs: 0 }, 0)).toEqual({
      counts: { unread: 0 },
      devices: [{ app_id: 'app', pushkey: 'key', data: { brand: 'x' } }],
    });
  });
});

it.each([
  ['{"rejected":["other","key"]}', true],
  ['{"rejected":["other"]}', false],
  ['{"rejected":"key"}', false],
  ['{}', false],
  ['<html>', false],
])('the answer %s rejects the push key: %s', (body, expected) => {
  expect(rejects(body, 'key')).toBe(expected);
});
