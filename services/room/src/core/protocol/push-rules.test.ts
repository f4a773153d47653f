import { describe, expect, it } from 'vitest';
import { evaluatePushRules, readPushRules } from './push-rules.ts';

const rule = (rule_id: string, more: object) => ({ rule_id, default: false, enabled: true, ...more });
const NOTIFY = { actions: ['notify'] };
const LOUD = { actions: ['notify', { set_tweak: 'highlight' }] };

const effectOf = (
  rules: object,
  content: object,
  {
    type = 'm.room.message',
    displayName = 'Bob',
    members = 3,
    allowed = false,
    state_key = undefined as string | undefined,
  } = {},
) => {
  const event = { type, sender: '@alice:test', content, ...(state_key === undefined ? {} : { state_key }) };
  const context = { displayName, members, mayNotifyRoom: () => allowed };
  const { notifies, highlights } = evaluatePushRules(
    readPushRules(JSON.stringify({ global: rules })),
    { event, roomId: '!r:test' } as unknown as Parameters<typeof evaluatePushRules>[1],
    context,
  );
  return highlights ? 'loud' : notifies ? 'notifies' : 'silent';
};
const override = (conditions: readonly object[]) => ({ override: [rule('x', { conditions, ...LOUD })] });
const event_match = (key: string, pattern: string) => override([{ kind: 'event_match', key, pattern }]);

describe('a condition', () => {
  it.each<[string, object, object, object, boolean]>([
    ['a word of the body', event_match('content.body', 'bob'), { body: 'Hello, BOB!' }, {}, true],
    ['a part of a word', event_match('content.body', 'bob'), { body: 'bobby' }, {}, false],
    ['a later whole word', event_match('content.body', 'bob'), { body: 'bobby bob' }, {}, true],
    ['a word with marks', event_match('content.body', 'b?b*c'), { body: 'a bib and tuc' }, {}, true],
    [
      'a word that goes on behind the mark',
      event_match('content.body', 'b?b*c'),
      { body: 'a bib and tucs' },
      {},
      false,
    ],
    ['a body of another type', event_match('content.body', 'bob'), { body: 1 }, {}, false],
    ['a whole value', event_match('content.msgtype', 'M.*ICE'), { msgtype: 'm.notice' }, {}, true],
    ['a part of a value', event_match('content.msgtype', 'notice'), { msgtype: 'm.notice' }, {}, false],
    ['a room id', event_match('room_id', '!r:test'), {}, {}, true],
    ['a key with a dot', event_match('content.m\\.x.y', 'z'), { 'm.x': { y: 'z' } }, {}, true],
    ['an inherited key', event_match('content.constructor.name', 'Object'), {}, {}, false],
    [
      'a property',
      override([{ kind: 'event_property_is', key: 'content.a', value: true }]),
      { a: true },
      {},
      true,
    ],
    [
      'a property of another type',
      override([{ kind: 'event_property_is', key: 'content.a', value: true }]),
      { a: 'true' },
      {},
      false,
    ],
    [
      'a member of a list',
      override([{ kind: 'event_property_contains', key: 'content.a', value: 1 }]),
      { a: [2, 1] },
      {},
      true,
    ],
    [
      'no list',
      override([{ kind: 'event_property_contains', key: 'content.a', value: 1 }]),
      { a: 1 },
      {},
      false,
    ],
    [
      'a display name',
      override([{ kind: 'contains_display_name' }]),
      { body: 'x b*b. y' },
      { displayName: 'B*b' },
      true,
    ],
    ['a number of members', override([{ kind: 'room_member_count', is: '2' }]), {}, { members: 2 }, true],
    ['fewer members', override([{ kind: 'room_member_count', is: '>=4' }]), {}, { members: 3 }, false],
    [
      'a permission',
      override([{ kind: 'sender_notification_permission', key: 'room' }]),
      {},
      { allowed: true },
      true,
    ],
    ['no permission', override([{ kind: 'sender_notification_permission', key: 'room' }]), {}, {}, false],
    ['an unknown condition', override([{ kind: 'org.unknown' }]), {}, {}, false],
    ['no condition', override([]), {}, {}, true],
  ])('about %s', (_, rules, content, context, met) => {
    expect(effectOf(rules, content, context)).toBe(met ? 'loud' : 'silent');
  });
});

it('the first enabled rule applies, in the order of the kinds', () => {
  const rules = {
    underride: [rule('u', { conditions: [], ...NOTIFY })],
    sender: [rule('@alice:test', LOUD)],
    room: [rule('!r:test', { actions: [] })],
    content: [rule('c', { pattern: 'quiet', actions: ['dont_notify'] })],
    override: [{ ...rule('o', { conditions: [], actions: [] }), enabled: false }, rule('bad', {}), 7],
  };
  expect(effectOf(rules, { body: 'x' })).toBe('silent');
  expect(effectOf({ ...rules, room: [] }, { body: 'x' })).toBe('loud');
  expect(effectOf({ ...rules, room: [] }, { body: 'quiet' })).toBe('silent');
  expect(effectOf({ ...rules, room: [], sender: [] }, { body: 'x' })).toBe('notifies');
});

it('an event that names whom it mentions mentions nobody by its text', () => {
  const rules = {
    override: [
      rule('.m.rule.contains_display_name', { conditions: [{ kind: 'contains_display_name' }], ...LOUD }),
    ],
  };
  expect(effectOf(rules, { body: 'Bob' })).toBe('loud');
  expect(effectOf(rules, { body: 'Bob', 'm.mentions': {} })).toBe('silent');
});
