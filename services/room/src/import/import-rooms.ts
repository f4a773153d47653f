import type { ImportedRoom, ImportRoomsRequest } from '@steward/proto/steward/room/v1/import_pb.ts';
import {
  checkBatch,
  checked,
  type ImportProblem,
  insertAggregates,
  insertedCount,
  type LoadedBatch,
} from '@steward/service';
import { NOT_FLUSHED } from '@steward/store';
import { applyBlock } from '../core/aggregate/block-room.ts';
import { rooms } from '../core/aggregate/rooms.ts';
import { claimAlias } from '../core/aliases/reserve-alias.ts';
import type { Deps } from '../core/deps.ts';
import { newRoom, type Room } from '../core/model/room.ts';
import { facetAfter } from '../core/model/room-facet.ts';
import { isRoomAlias, isRoomId, isStorableId, isUserId } from '../core/protocol/mod.ts';
import { furtherOfRoom } from '../core/records/further-fields.ts';

/** Imports rooms, without events. Not flushed, as `importEvents`. */
export async function importRooms(
  deps: Deps,
  { rooms: records, update }: ImportRoomsRequest,
): Promise<LoadedBatch> {
  checkBatch(records);
  const existing = new Set<string>();
  const ids = records.map(({ roomId }) => roomId);
  for await (const { _id } of deps.rooms.find({ _id: { $in: ids } }, { projection: { _id: 1 } })) {
    existing.add(_id);
  }
  const problems: ImportProblem[] = [];
  const fresh = new Map<string, Room>();
  const found = await eachInTurn(records, keysOf, async (record) => {
    if (existing.has(record.roomId) || fresh.has(record.roomId)) return undefined;
    const problem = problemOf(record) ?? (await problemOfAliases(deps, record));
    if (problem !== undefined) return problem;
    const read = checked(() => toRoom(record));
    if ('problem' in read) return read.problem;
    fresh.set(record.roomId, read.document);
    return undefined;
  });
  for (const [index, problem] of found.entries()) {
    if (problem !== undefined) problems.push({ index, problem });
  }
  const inserted = await insert(deps, [...fresh.values()]);
  // A block made later finds the room.
  for await (const { _id } of deps.blocks.find({ _id: { $in: [...fresh.keys()] } }))
    await applyBlock(deps, _id);
  const listed = update
    ? await listAsRecorded(
        deps,
        records.filter(({ roomId }) => existing.has(roomId)),
      )
    : 0;
  const loaded = inserted + listed;
  return { loaded, skipped: records.length - loaded - problems.length, problems };
}

/** Makes the directory list rooms as their records say; returns how many changed. */
async function listAsRecorded(deps: Deps, records: readonly ImportedRoom[]): Promise<number> {
  let changed = 0;
  for (const { roomId, public: isPublic } of records) {
    await rooms.change(deps, roomId, (room) => {
      if (room.public === isPublic) return undefined;
      changed++;
      return { set: { public: isPublic, ...facetAfter(room, { public: isPublic }) } };
    });
  }
  return changed;
}

/** Runs `work` on all records at once, except that those that share a key take turns, in their order. */
function eachInTurn<T, R>(
  records: readonly T[],
  keysOf: (record: T) => readonly string[],
  work: (record: T) => Promise<R>,
): Promise<R[]> {
  const last = new Map<string, Promise<R>>();
  const results = records.map((record) => {
    const keys = keysOf(record);
    const earlier = keys.flatMap((key) => last.get(key) ?? []);
    const result = Promise.all(earlier).then(() => work(record));
    for (const key of keys) last.set(key, result);
    return result;
  });
  return Promise.all(results);
}

/** What a record may share with another one of its batch. */
const keysOf = (record: ImportedRoom): readonly string[] => [record.roomId, ...aliasesOf(record)];

function problemOf(record: ImportedRoom): string | undefined {
  if (!isRoomId(record.roomId)) return 'room_id is not a room id';
  if (!isUserId(record.creator)) return 'creator is not a user id';
  if (record.roomVersion === '' || !isStorableId(record.roomVersion)) {
    return 'room_version is not a room version';
  }
  if (record.createdTs < 0n || record.createdTs > BigInt(Number.MAX_SAFE_INTEGER)) {
    return 'created_ts is not a time';
  }
  const alias = aliasesOf(record).find((each) => !isRoomAlias(each));
  return alias === undefined ? undefined : `${alias} is not a room alias`;
}

function aliasesOf({ canonicalAlias, aliases }: ImportedRoom): readonly string[] {
  return [...new Set([...(canonicalAlias ? [canonicalAlias] : []), ...aliases])];
}

/** Reserves the aliases of the room, which do not resolve until it exists; returns the problem with one of them. */
async function problemOfAliases(deps: Deps, record: ImportedRoom): Promise<string | undefined> {
  for (const alias of aliasesOf(record)) {
    // An alias with a record of its own, which was loaded before, keeps its creator and time.
    const held = await deps.aliases.findOne({ _id: alias });
    if (held?.room_id === record.roomId) continue;
    if (await claimAlias(deps, alias, record.roomId, record.creator, NOT_FLUSHED)) continue;
    return `${alias} stands for another room`;
  }
  return undefined;
}

function toRoom(record: ImportedRoom): Room {
  const room = newRoom({
    roomId: record.roomId,
    roomVersion: record.roomVersion,
    creator: record.creator,
    public: record.public,
    now: Number(record.createdTs),
  });
  return { ...room, version: 1, ...furtherOfRoom.read(record.further) };
}

async function insert({ rooms }: Pick<Deps, 'rooms'>, documents: readonly Room[]): Promise<number> {
  if (documents.length === 0) return 0;
  return insertedCount(insertAggregates(rooms, documents, { ...NOT_FLUSHED, ordered: false }));
}
