import { type Actor, path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const ALL = '/_proto/client/v3/pushrules/';
const one = (kind: string, ruleId: string) => path`/_proto/client/v3/pushrules/global/${kind}/${ruleId}`;

interface Rule {
  readonly rule_id: string;
  readonly default: boolean;
  readonly enabled: boolean;
  readonly actions: readonly unknown[];
  readonly conditions?: readonly Record<string, unknown>[];
  readonly pattern?: string;
}
type Rules = Readonly<Record<string, readonly Rule[]>>;

const N = 'notify';
const S = { set_tweak: 'sound', value: 'default' };
const R = { set_tweak: 'sound', value: 'ring' };
const H = { set_tweak: 'highlight' };
const match = (key: string, pattern: string) => ({ kind: 'event_match', key, pattern });
const type = (pattern: string) => match('type', pattern);
const room = { kind: 'sender_notification_permission', key: 'room' };
const two = { kind: 'room_member_count', is: '2' };

/** The default rules of an account: id, conditions, actions (client-plane.md 12.1). */
const overrides = (
  userId: string,
): readonly (readonly [string, readonly unknown[], readonly unknown[]])[] => [
  ['master', [], []],
  ['suppress_notices', [match('content.msgtype', 'm.notice')], []],
  [
    'invite_for_me',
    [type('m.room.member'), match('content.membership', 'invite'), match('state_key', userId)],
    [N, S],
  ],
  ['member_event', [type('m.room.member')], []],
  [
    'is_user_mention',
    [{ kind: 'event_property_contains', key: 'content.m\\.mentions.user_ids', value: userId }],
    [N, S, H],
  ],
  ['contains_display_name', [{ kind: 'contains_display_name' }], [N, S, H]],
  [
    'is_room_mention',
    [{ kind: 'event_property_is', key: 'content.m\\.mentions.room', value: true }, room],
    [N, H],
  ],
  ['roomnotif', [match('content.body', '@room'), room], [N, H]],
  ['tombstone', [type('m.room.tombstone'), match('state_key', '')], [N, H]],
  ['reaction', [type('m.reaction')], []],
  ['room.server_acl', [type('m.room.server_acl'), match('state_key', '')], []],
  [
    'suppress_edits',
    [{ kind: 'event_property_is', key: 'content.m\\.relates_to.rel_type', value: 'm.replace' }],
    [],
  ],
];
const UNDERRIDES = [
  ['call', [type('m.call.invite')], [N, R]],
  ['encrypted_room_one_to_one', [two, type('m.room.encrypted')], [N, S]],
  ['room_one_to_one', [two, type('m.room.message')], [N, S]],
  ['message', [type('m.room.message')], [N]],
  ['encrypted', [type('m.room.encrypted')], [N]],
] as const;

chapter('12.1 Push rules', (world) => {
  const rulesOf = async (user: Actor) => (await user.get<{ global: Rules }>(ALL)).body.global;
  const idsOf = async (user: Actor, kind: string) =>
    (await rulesOf(user))[kind]?.map(({ rule_id: id }) => id).filter((id) => !id.startsWith('.'));
  const dataOf = async (user: Actor) =>
    (
      await world.admin.get<{ account_data: { global: Record<string, unknown> } }>(
        path`/_service/admin/v1/users/${user.userId}/accountdata`,
      )
    ).body.account_data.global;
  const asData = (user: Actor) =>
    user.get(path`/_proto/client/v3/user/${user.userId}/account_data/m.push_rules`);
  const put = (user: Actor, kind: string, id: string, body: unknown, query = {}) =>
    user.put(one(kind, id), { body, query });

  it('every account has the default rules', async () => {
    const user = await world.user();
    const toRule = ([name, conditions, actions]: readonly [
      string,
      readonly unknown[],
      readonly unknown[],
    ]) => ({
      rule_id: `.m.rule.${name}`,
      default: true,
      enabled: name !== 'master',
      actions,
      conditions,
    });
    const content = {
      rule_id: '.m.rule.contains_user_name',
      default: true,
      enabled: true,
      actions: [N, S, H],
      pattern: user.localpart,
    };
    const { status, body } = await user.get(ALL);
    expect(status).toBe(200);
    expect(body).toEqual({
      global: {
        override: overrides(user.userId).map(toRule),
        content: [content],
        room: [],
        sender: [],
        underride: UNDERRIDES.map(toRule),
      },
    });
    expect((await asData(user)).body).toEqual(body);
    expect(await dataOf(user)).toEqual({});
  });

  it.each(['v3', 'r0'])(
    'push rules are served with and without a trailing slash, under %s',
    async (version) => {
      const user = await world.user();
      const base = `/_proto/client/${version}/pushrules`;
      const replies = await Promise.all([base, `${base}/`].map((target) => user.get(target)));
      const inner = await Promise.all(
        [`${base}/global`, `${base}/global/`].map((target) => user.get(target)),
      );
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      for (const { status, body } of inner) {
        expect(status).toBe(200);
        expect({ global: body }).toEqual(replies[0]?.body);
      }
    },
  );

  describe('adding', () => {
    it('inserts the newest first, after the master rule, unless a position is given', async () => {
      const user = await world.user();
      const conditions = [match('content.body', 'x'), { kind: 'org.example.unknown', a: 1 }];
      for (const id of ['a', 'b', 'c']) {
        expect(await put(user, 'override', id, { actions: [N], conditions })).toMatchObject({
          status: 200,
          text: '{}',
        });
      }
      const rules = (await rulesOf(user)).override ?? [];
      expect(rules.slice(0, 4).map(({ rule_id: id }) => id)).toEqual(['.m.rule.master', 'c', 'b', 'a']);
      expect(rules[1]).toEqual({ rule_id: 'c', default: false, enabled: true, actions: [N], conditions });
      expect((await user.get(one('override', 'c'))).body).toEqual(rules[1]);

      await put(user, 'override', 'd', { actions: [] }, { after: 'c' });
      await put(user, 'override', 'e', { actions: [] }, { before: 'a' });
      expect(await idsOf(user, 'override')).toEqual(['c', 'd', 'b', 'e', 'a']);
      await put(user, 'override', 'a', { actions: [H] }, { before: 'c' });
      expect(await idsOf(user, 'override')).toEqual(['a', 'c', 'd', 'b', 'e']);
      await put(user, 'override', 'e', { actions: [] });
      expect(await idsOf(user, 'override')).toEqual(['e', 'a', 'c', 'd', 'b']);
    });

    it('supports every kind', async () => {
      const user = await world.user();
      const bodies = {
        content: { pattern: 'cake' },
        room: {},
        sender: {},
        underride: { conditions: [] },
      };
      for (const [kind, body] of Object.entries(bodies)) {
        await put(user, kind, '!a:test', { actions: [N, { set_tweak: 'sound', value: 1 }], ...body });
        expect((await user.get(one(kind, '!a:test'))).body).toEqual({
          rule_id: '!a:test',
          default: false,
          enabled: true,
          actions: [N, { set_tweak: 'sound', value: 1 }],
          ...body,
        });
      }
      const data = await dataOf(user);
      expect(data).toEqual({ 'm.push_rules': (await asData(user)).body });
      expect(data).toEqual({ 'm.push_rules': { global: await rulesOf(user) } });
    });

    const condition = (value: unknown) => JSON.stringify({ actions: [], conditions: [value] });
    it.each([
      ['no body', 'override', 'a', '', 'M_NOT_JSON'],
      ['no object', 'override', 'a', '[]', 'M_BAD_JSON'],
      ['no actions', 'override', 'a', '{}', 'M_MISSING_PARAM'],
      ['actions that are not a list', 'override', 'a', '{"actions":"notify"}', 'M_BAD_JSON'],
      ['an unknown action', 'override', 'a', '{"actions":["explode"]}', 'M_BAD_JSON'],
      ['an action that sets nothing', 'override', 'a', '{"actions":[{"value":1}]}', 'M_BAD_JSON'],
      ['an action that is null', 'override', 'a', '{"actions":[null]}', 'M_BAD_JSON'],
      ['a malformed condition', 'override', 'a', condition('x'), 'M_BAD_JSON'],
      ['a condition without a kind', 'underride', 'a', condition({ key: 'x' }), 'M_BAD_JSON'],
      [
        'a match without a pattern',
        'override',
        'a',
        condition({ kind: 'event_match', key: 'x' }),
        'M_BAD_JSON',
      ],
      [
        'a count that does not read',
        'override',
        'a',
        condition({ kind: 'room_member_count', is: '~2' }),
        'M_BAD_JSON',
      ],
      [
        'a value that cannot be compared',
        'override',
        'a',
        condition({ kind: 'event_property_is', key: 'a', value: {} }),
        'M_BAD_JSON',
      ],
      ['no pattern', 'content', 'a', '{"actions":[]}', 'M_MISSING_PARAM'],
      ['a pattern that is not text', 'content', 'a', '{"actions":[],"pattern":1}', 'M_BAD_JSON'],
      ['an unknown kind', 'other', 'a', '{"actions":[]}', 'M_INVALID_PARAM'],
      ["an id of the server's", 'override', '.m.rule.mine', '{"actions":[]}', 'M_UNKNOWN'],
      ['a default rule', 'override', '.m.rule.master', '{"actions":[]}', 'M_UNKNOWN'],
      ['an id with a slash', 'override', 'a/b', '{"actions":[]}', 'M_UNKNOWN'],
      ['an id with a backslash', 'override', 'a\\b', '{"actions":[]}', 'M_UNKNOWN'],
      ['an empty id', 'override', '', '{"actions":[]}', 'M_INVALID_PARAM'],
    ])('adding a push rule is refused with %s', async (_, kind, id, rawBody, errcode) => {
      const user = await world.user();
      expect(await user.put(one(kind, id), { rawBody })).toMatchObject(refusal(400, errcode));
      expect(await dataOf(user)).toEqual({});
    });

    it.each([{ before: 'unknown' }, { after: 'unknown' }, { before: 'a' }, { after: '.m.rule.message' }])(
      'is refused for %j, where no such rule can exist',
      async (query) => {
        const user = await world.user();
        expect(await put(user, 'underride', 'a', { actions: [] }, query)).toMatchObject(
          refusal(400, 'M_UNKNOWN'),
        );
        expect(await dataOf(user)).toEqual({});
      },
    );

    it('adding a push rule is limited', async () => {
      const user = await world.user();
      const body = { actions: [], pattern: 'x'.repeat(250_000) };
      for (const id of ['a', 'b', 'c', 'd'])
        expect(await put(user, 'content', id, body)).toMatchObject({ status: 200 });
      expect(await put(user, 'content', 'e', body)).toMatchObject(refusal(413, 'M_TOO_LARGE'));
    });

    it('keeps all rules that are added concurrently', async () => {
      const user = await world.user();
      const ids = ['a', 'b', 'c', 'd'];
      const replies = await Promise.all(ids.map((id) => put(user, 'sender', id, { actions: [] })));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await idsOf(user, 'sender'))?.toSorted()).toEqual(ids);
    });
  });

  describe('removing', () => {
    it('deletes a rule', async () => {
      const user = await world.user();
      await put(user, 'room', 'a', { actions: [] });
      expect(await user.delete(one('room', 'a'))).toMatchObject({ status: 200, text: '{}' });
      expect(await idsOf(user, 'room')).toEqual([]);
      expect(await user.delete(one('room', 'a'))).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      expect(await dataOf(user)).toEqual({});
    });

    it.each([
      ['an unknown rule', 'override', 'unknown', 404, 'M_NOT_FOUND'],
      ['a default rule', 'override', '.m.rule.master', 400, 'M_UNKNOWN'],
      ['an unknown kind', 'other', 'a', 400, 'M_INVALID_PARAM'],
    ])('removing a push rule is refused for %s', async (_, kind, id, status, errcode) => {
      const user = await world.user();
      expect(await user.delete(one(kind, id))).toMatchObject(refusal(status, errcode));
    });
  });

  describe.each([
    ['a default rule', '.m.rule.message'],
    ['an added rule', 'mine'],
  ])('changing %s', (_, id) => {
    const target = one('underride', id);
    const prepared = async () => {
      const user = await world.user();
      await put(user, 'underride', 'mine', { actions: [N] });
      return user;
    };

    it('disables and enables a rule', async () => {
      const user = await prepared();
      expect((await user.get(`${target}/enabled`)).body).toEqual({ enabled: true });
      const reply = await user.put(`${target}/enabled`, { body: { enabled: false } });
      expect(reply).toMatchObject({ status: 200, text: '{}' });
      expect((await user.get(`${target}/enabled`)).body).toEqual({ enabled: false });
      expect((await user.get(target)).body).toMatchObject({ rule_id: id, enabled: false, actions: [N] });
    });

    it('replaces the actions of a rule', async () => {
      const user = await prepared();
      await user.put(`${target}/enabled`, { body: { enabled: false } });
      const reply = await user.put(`${target}/actions`, { body: { actions: [S] } });
      expect(reply).toMatchObject({ status: 200, text: '{}' });
      expect((await user.get(`${target}/actions`)).body).toEqual({ actions: [S] });
      expect((await user.get(target)).body).toMatchObject({ enabled: false, actions: [S] });
    });

    it.each([
      ['enabled', '{}', 'M_MISSING_PARAM'],
      ['enabled', '{"enabled":1}', 'M_BAD_JSON'],
      ['actions', '{}', 'M_MISSING_PARAM'],
      ['actions', '{"actions":["explode"]}', 'M_BAD_JSON'],
      ['actions', '', 'M_NOT_JSON'],
    ])('a change of a push rule is refused: %s %s', async (what, rawBody, errcode) => {
      const user = await prepared();
      expect(await user.put(`${target}/${what}`, { rawBody })).toMatchObject(refusal(400, errcode));
      expect((await user.get(target)).body).toMatchObject({ enabled: true, actions: [N] });
    });
  });

  it('keeps a replaced rule disabled', async () => {
    const user = await world.user();
    await put(user, 'room', 'a', { actions: [] });
    await user.put(`${one('room', 'a')}/enabled`, { body: { enabled: false } });
    await put(user, 'room', 'a', { actions: [N] });
    expect((await user.get(one('room', 'a'))).body).toMatchObject({ enabled: false, actions: [N] });
  });

  it('of a default rule to its current value changes nothing', async () => {
    const user = await world.user();
    const target = `${one('override', '.m.rule.master')}/enabled`;
    await user.put(target, { body: { enabled: true } });
    expect(Object.keys(await dataOf(user))).toEqual(['m.push_rules']);
    await user.put(target, { body: { enabled: false } });
    expect(await dataOf(user)).toEqual({});
  });

  it.each([
    ['unknown', 'override', 404, 'M_NOT_FOUND'],
    ['.m.rule.message', 'override', 404, 'M_NOT_FOUND'],
    ['', 'override', 404, 'M_NOT_FOUND'],
    ['a', 'other', 400, 'M_INVALID_PARAM'],
  ])('a rule %j of the kind %s is not found', async (id, kind, status, errcode) => {
    const user = await world.user();
    const none = refusal(status, errcode);
    expect(await user.get(one(kind, id))).toMatchObject(none);
    expect(await user.get(`${one(kind, id)}/enabled`)).toMatchObject(none);
    expect(await user.get(`${one(kind, id)}/actions`)).toMatchObject(none);
    expect(await user.put(`${one(kind, id)}/enabled`, { body: { enabled: true } })).toMatchObject(none);
    expect(await user.put(`${one(kind, id)}/actions`, { body: { actions: [] } })).toMatchObject(none);
  });
});
