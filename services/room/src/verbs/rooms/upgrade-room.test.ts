import { EventService } from '@steward/proto/steward/room/v1/events_pb.ts';
import { MembershipService } from '@steward/proto/steward/room/v1/members_pb.ts';
import { RoomService } from '@steward/proto/steward/room/v1/rooms_pb.ts';
import type { Store } from '@steward/store';
import { type CrashPoint, stores } from '@steward/store/testing';
import { describe, expect, it } from 'vitest';
import { aliases } from '../../core/model/alias.ts';
import { runScenario, type Scenario } from '../../fixtures/crash-points.ts';
import { oneService } from '../../fixtures/one-service.ts';
import { collectionsOf, recount } from '../../fixtures/recount.ts';
import type { TestService } from '../../fixtures/test-service.ts';

const OWNER = '@owner:test';
const SECOND = '@second:test';
const ALIAS = '#alias:test';

/** More bans than one commit admits. */
const MANY_BANS = 70;

/** Longer than an interrupted upgrade stays unswept, in milliseconds. */
const HOURS_MS = 3 * 60 * 60_000;

const rooms = (service: TestService) => service.client(RoomService, OWNER);
const events = (service: TestService) => service.client(EventService, OWNER);

async function createRoom(service: TestService, banned: readonly string[]): Promise<string> {
  const { roomId } = await rooms(service).createRoom({
    preset: 'public_chat',
    roomVersion: '11',
    roomAliasName: 'alias',
  });
  const members = service.client(MembershipService, OWNER);
  await Promise.all(banned.map((userId) => members.ban({ roomId, userId })));
  return roomId;
}

const many = Array.from({ length: MANY_BANS }, (_, index) => `@banned${index}:test`);

describe('a refused upgrade', () => {
  it.each([
    ['few bans', ['@banned:test']],
    ['more bans than one commit admits', many],
  ])('leaves no room when the new room does not admit the last of %s', async (_, banned) => {
    const { store, service } = await oneService();
    const roomId = await createRoom(service, banned);
    // Creators of a room cannot be banned from it.
    const additionalCreators = banned.slice(-1);
    const request = { roomId, newVersion: '12', additionalCreators };
    await expect(rooms(service).upgradeRoom(request)).rejects.toThrow('as high a power level');
    await service.service.whenIdle();
    expect(await (await collectionsOf(store)).rooms.find({}).toArray()).toMatchObject([{ _id: roomId }]);
  });

  it('leaves no room when the old room is of an unknown version', async () => {
    const { store, service } = await oneService();
    const roomId = await createRoom(service, []);
    const collections = await collectionsOf(store);
    await collections.rooms.updateOne({ _id: roomId }, { $set: { room_version: 'x' }, $inc: { version: 1 } });
    await expect(rooms(service).upgradeRoom({ roomId, newVersion: '12' })).rejects.toThrow('version');
    await service.service.whenIdle();
    expect(await collections.rooms.countDocuments({})).toBe(1);
  });

  it('removes the new room when the caller loses the power level while it is created', async () => {
    let demote: (() => Promise<unknown>) | undefined;
    const { store, service } = await oneService({
      async isDeactivated(userId) {
        // The recheck of the new room's members queries their accounts when both rooms exist.
        if (userId === OWNER && demote && (await collections.rooms.countDocuments({})) === 2) {
          const once = demote;
          demote = undefined;
          await once();
        }
        return false;
      },
    });
    const collections = await collectionsOf(store);
    const roomId = await createRoom(service, []);
    await service.client(MembershipService, SECOND).joinRoom({ roomId });
    const state = { roomId, eventType: 'm.room.power_levels', stateKey: '' };
    const levels = (users: object) => ({ ...state, content: JSON.stringify({ users }) });
    await events(service).putState(levels({ [OWNER]: 100, [SECOND]: 100 }));
    demote = () => events(service).putState(levels({ [OWNER]: 0, [SECOND]: 100 }));
    await expect(rooms(service).upgradeRoom({ roomId, newVersion: '12' })).rejects.toThrow();
    await service.service.whenIdle();
    expect(demote).toBeUndefined();
    expect(await collections.rooms.find({}).toArray()).toMatchObject([{ _id: roomId, tombstoned: false }]);
    expect(service.faults).toEqual([]);
  });
});

/** The upgrade of a room, which the client repeats if it gets no response. */
function upgradeOf(store: Store, banned: readonly string[]): Scenario<string> {
  return {
    prepare: (service) => createRoom(service, banned),
    begin: (service, roomId) => rooms(service).upgradeRoom({ roomId, newVersion: '12' }),
    waitMs: HOURS_MS,
    async expect(_service, roomId) {
      const collections = await collectionsOf(store);
      const old = await collections.rooms.findOne({ _id: roomId });
      const replacement = old?.replacement_room ?? '';
      expect(old).toMatchObject({ tombstoned: true, public: false, canonical_alias: null });
      const others = await collections.rooms.find({ _id: { $ne: roomId } }).toArray();
      const announced = await announcedBy(store, roomId);
      // A room that the old room has announced stays, because members may have joined it.
      expect(others.map(({ _id }) => _id).filter((id) => !announced.has(id))).toEqual([]);
      expect(announced).toContain(replacement);
      const alias = await (await store.collection(aliases)).findOne({ _id: ALIAS });
      const known = others.find(({ _id }) => _id === alias?.room_id);
      expect(known).toMatchObject({ canonical_alias: ALIAS });
      expect(others.filter(({ upgrade_of }) => upgrade_of !== undefined)).toEqual([]);
      const { members } = collections;
      const bans = await members.countDocuments({ room_id: replacement, membership: 'ban' });
      expect(bans).toBe(banned.length);
      const { kept, counted } = await recount(store, replacement);
      expect(kept).toEqual(counted);
    },
  };
}

/** The rooms that a room announces, or has announced, as its replacement. */
async function announcedBy(store: Store, roomId: string): Promise<ReadonlySet<unknown>> {
  const { events: all } = await collectionsOf(store);
  const tombstones = await all.find({ room_id: roomId, type: 'm.room.tombstone' }).toArray();
  return new Set(tombstones.map(({ json }) => JSON.parse(json).content.replacement_room));
}

describe('a process that crashes while it upgrades a room', () => {
  const [sqlite] = stores;
  it.each([
    ['with few events', []],
    ['with more events than one commit admits', many],
  ])(
    'leaves no replacement that the old room does not announce: %s',
    async (_, banned) => {
      if (!sqlite) throw new Error('There is no store');
      let reached = true;
      const step = banned.length > 0 ? 15 : 3;
      for (let call = 1; reached; call += step) {
        const how: CrashPoint = call % 2 === 0 ? 'before' : 'after';
        const { store, drop } = await sqlite.open();
        reached = await runScenario(store, upgradeOf(store, banned), call, how);
        await drop();
      }
    },
    120_000,
  );
});
