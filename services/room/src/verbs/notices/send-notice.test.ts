import type { MessageInitShape } from '@bufbuild/protobuf';
import { toRefusal } from '@steward/errors';
import { RoomAdminService } from '@steward/proto/steward/room/v1/admin_rooms_pb.ts';
import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { NoticeService, type SendNoticeRequestSchema } from '@steward/proto/steward/room/v1/notices_pb.ts';
import type { Store } from '@steward/store';
import { type CrashPoint, stores } from '@steward/store/testing';
import { dueRuns } from '@steward/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { events } from '../../core/model/event-document.ts';
import { EVENT_MAX_BYTES } from '../../core/protocol/mod.ts';
import { runScenario, type Scenario } from '../../fixtures/crash-points.ts';
import { oneService } from '../../fixtures/one-service.ts';
import { collectionsOf, recount } from '../../fixtures/recount.ts';
import { ADMIN, type TestService } from '../../fixtures/test-service.ts';

/** What it proves. */
const GUARDS = ['services/room/src/core/aggregate/', 'services/room/src/verbs/notices/'];

const ROOM = '!notices:test';
const SENDER = '@notices:test';
const READER = '@reader:test';

/** More calls of the store than sending a notice makes. */
const MAX_CALLS = 27;

type Request = MessageInitShape<typeof SendNoticeRequestSchema>;

const CONFIGURED = { autoJoin: true, roomAvatarUrl: 'mxc://test/avatar', roomTopic: 'News' } as const;

const send = (service: TestService, more: Request) =>
  service.client(NoticeService, ADMIN).sendNotice({
    roomId: ROOM,
    create: true,
    roomName: 'Notices',
    userId: READER,
    sender: SENDER,
    displayName: 'Server',
    eventType: 'm.room.message',
    content: '{"msgtype":"m.text","body":"x"}',
    transaction: 'first',
    ...more,
  });

const contentsOf = async (store: Store, type: string) => {
  const visible = { room_id: ROOM, type, arrival: { $gt: 0 } };
  const found = await (await store.collection(events)).find(visible, { sort: { arrival: 1 } }).toArray();
  return found.map(({ json }) => JSON.parse(json).content);
};

const membershipOf = async (store: Store) => {
  const { members } = await collectionsOf(store);
  return (await members.findOne({ room_id: ROOM, user_id: READER }))?.membership;
};

/** A notice with avatar, topic and join, in a new room or in one that was created without them. */
function noticeIn(room: 'new' | 'existing', store: Store): Scenario<void> {
  return {
    async prepare(service) {
      if (room === 'existing') await send(service, {});
    },
    begin: (service) => send(service, { ...CONFIGURED, transaction: 'second' }),
    async expect() {
      expect(await membershipOf(store)).toBe('join');
      expect(await contentsOf(store, 'm.room.avatar')).toEqual([{ url: CONFIGURED.roomAvatarUrl }]);
      expect(await contentsOf(store, 'm.room.topic')).toMatchObject([{ topic: CONFIGURED.roomTopic }]);
      expect(await contentsOf(store, 'm.room.message')).toHaveLength(room === 'new' ? 1 : 2);
      const { kept, counted } = await recount(store, ROOM);
      expect(kept).toEqual(counted);
    },
  };
}

describe.each(stores)('$title', ({ missing, remote, open }) => {
  const run = async (scenarioOn: (store: Store) => Scenario<void>, call: number, how: CrashPoint) => {
    const { store, drop } = await open();
    try {
      return await runScenario(store, scenarioOn(store), call, how);
    } finally {
      await drop();
    }
  };

  it.skipIf(missing).each(['new', 'existing'] as const)(
    'a notice in a room that is %s is completed, at whichever call of the store a process crashes',
    { timeout: 240_000 },
    async (room) => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: MAX_CALLS }),
          fc.constantFrom<CrashPoint>('before', 'during', 'after'),
          async (call, how) => void (await run((store) => noticeIn(room, store), call, how)),
        ),
        { numRuns: dueRuns(remote ? 4 : 20, `crashes of a notice, ${room}`, GUARDS) },
      );
    },
  );

  /** Runs a case without a crash, after a notice that created the room with these options. */
  const afterFirst = (
    options: Request,
    expectAll: (service: TestService, store: Store) => Promise<void>,
    isDeactivated = () => false,
  ) =>
    run(
      (store) => ({
        prepare: async () => {},
        begin: (service) => send(service, options),
        isDeactivated,
        expect: (service) => expectAll(service, store),
      }),
      Number.POSITIVE_INFINITY,
      'before',
    );

  it.skipIf(missing)('concurrent notices add the join and each state event once', async () => {
    await afterFirst({}, async (service, store) => {
      const ids = Array.from({ length: 8 }, (_, n) => `${n}`);
      await Promise.all(ids.map((transaction) => send(service, { ...CONFIGURED, transaction })));
      expect(await contentsOf(store, 'm.room.avatar')).toHaveLength(1);
      expect(await contentsOf(store, 'm.room.topic')).toHaveLength(1);
      const memberships = (await contentsOf(store, 'm.room.member')).map(({ membership }) => membership);
      // The creator, the invitation and the join.
      expect(memberships).toEqual(['join', 'invite', 'join']);
    });
  });

  it.skipIf(missing)('avatar and topic follow the configuration, and stay without one', async () => {
    await afterFirst(CONFIGURED, async (service, store) => {
      await send(service, { ...CONFIGURED, roomTopic: 'Old news', transaction: 'a' });
      await send(service, { transaction: 'b' });
      const topics = (await contentsOf(store, 'm.room.topic')).map(({ topic }) => topic);
      expect(topics).toEqual(['News', 'Old news']);
      expect(await contentsOf(store, 'm.room.avatar')).toEqual([{ url: CONFIGURED.roomAvatarUrl }]);
    });
  });

  it.skipIf(missing)('the account of a reader who has joined is not read', async () => {
    let reads = 0;
    const count = () => {
      reads++;
      return false;
    };
    await afterFirst(
      CONFIGURED,
      async (service) => {
        const before = reads;
        expect(before).toBeGreaterThan(0);
        await send(service, { ...CONFIGURED, transaction: 'a' });
        await service.service.whenIdle();
        expect(reads).toBe(before);
      },
      count,
    );
  });

  it.skipIf(missing)('a deactivated reader is invited and does not join', async () => {
    await afterFirst(
      CONFIGURED,
      async (service, store) => {
        await send(service, { ...CONFIGURED, transaction: 'a' });
        expect(await membershipOf(store)).toBe('invite');
      },
      () => true,
    );
  });

  it.skipIf(missing)(
    'a reader does not join a blocked room, which nevertheless receives notices',
    async () => {
      await afterFirst({}, async (service, store) => {
        await service.client(RoomAdminService, ADMIN).putBlock({ roomId: ROOM, block: true });
        const { eventId } = await send(service, { ...CONFIGURED, transaction: 'a' });
        expect(eventId).toBeDefined();
        expect(await membershipOf(store)).toBe('invite');
      });
    },
  );

  it.skipIf(missing)('a room that refuses avatar and topic receives notices', async () => {
    await afterFirst({}, async (service, store) => {
      // As an administrator of an earlier release could change them.
      const content = JSON.stringify({ users: { [SENDER]: 40 }, users_default: -10 });
      const levels = { roomId: ROOM, eventType: 'm.room.power_levels', content };
      await service.client(EventService, SENDER).putState(levels);
      expect((await send(service, { ...CONFIGURED, transaction: 'b' })).eventId).toBeDefined();
      expect(await contentsOf(store, 'm.room.topic')).toEqual([]);
      expect(await membershipOf(store)).toBe('join');
    });
  });

  it.skipIf(missing)('a reader who joined and left gets no notice in the room', async () => {
    await afterFirst(CONFIGURED, async (service) => {
      await service.client(MembershipService, READER).leave({ roomId: ROOM });
      expect((await send(service, { ...CONFIGURED, transaction: 'a' })).eventId).toBeUndefined();
    });
  });
});

describe('a notice that the room would refuse', () => {
  const text = (body: string) => ({ content: JSON.stringify({ msgtype: 'm.text', body }) });
  const relation = { 'm.relates_to': { rel_type: 'm.annotation', event_id: '$unknown', key: 'x' } };
  const state = (type: string) => ({ eventType: `m.room.${type}`, stateKey: '', content: '{}' });

  const refusals: readonly (readonly [string, Request, string | undefined])[] = [
    // The content alone fits, and the event with references, hashes and signature does not.
    ['too long', text('x'.repeat(EVENT_MAX_BYTES - 200)), 'M_TOO_LARGE'],
    ['too long once encoded', text('\u0001'.repeat(EVENT_MAX_BYTES / 6)), 'M_TOO_LARGE'],
    ['of a type that is too long', { eventType: 'x'.repeat(256), content: '{}' }, 'M_TOO_LARGE'],
    [
      'of a key that is too long',
      { eventType: 'x', stateKey: 'x'.repeat(256), content: '{}' },
      'M_TOO_LARGE',
    ],
    ['too deep', { eventType: 'x', content: `{"x":${'['.repeat(200)}${']'.repeat(200)}}` }, 'M_BAD_JSON'],
    ['with half a character', { eventType: 'x', content: '{"x":"\\ud800"}' }, 'M_BAD_JSON'],
    ['about an unknown event', { eventType: 'x', content: JSON.stringify(relation) }, undefined],
    ...['power_levels', 'join_rules', 'history_visibility', 'server_acl', 'tombstone'].map(
      (type) => [`that would change the ${type}`, state(type), 'M_UNKNOWN'] as const,
    ),
  ];

  it.each(refusals)('%s changes nothing', async (_, refused, errcode) => {
    const { store, service } = await oneService();
    const { rooms, events: stored } = await collectionsOf(store);
    for (const checkOnly of [true, false]) {
      const error = await send(service, { ...refused, checkOnly }).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeDefined();
      if (errcode !== undefined) expect(toRefusal(error).errcode).toBe(errcode);
    }
    expect([await rooms.countDocuments({}), await stored.countDocuments({})]).toEqual([0, 0]);
  });

  it('a notice that the room would refuse is refused by a check of a room that exists, and an admitted one is not sent by a check', async () => {
    const { store, service } = await oneService();
    const longest = text('x'.repeat(EVENT_MAX_BYTES - 2_000));
    await send(service, { ...longest, checkOnly: true });
    expect((await send(service, longest)).eventId).toBeDefined();
    const tooLong = text('x'.repeat(EVENT_MAX_BYTES - 200));
    await expect(send(service, { ...tooLong, transaction: 'a', checkOnly: true })).rejects.toThrow(/at most/);
    await send(service, { transaction: 'b', checkOnly: true });
    expect(await contentsOf(store, 'm.room.message')).toHaveLength(1);
  });
});
