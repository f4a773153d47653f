import type { ImportMembersRequest } from '@steward/proto/steward/room/v1/import_pb.ts';
import { Conflict } from '@steward/store';
import type { Deps } from '../core/deps.ts';
import { type MemberDocument, memberId, noMember } from '../core/model/member.ts';
import { isUserId } from '../core/protocol/mod.ts';
import { checkBatch, type ImportProblem, type LoadedBatch } from './loaded-batch.ts';

/**
 * Makes place for members of rooms. What they are there, and by which event, their events say: so whatever
 * is counted or shown of a room agrees with its events, also when a load ends in the midst.
 */
export async function importMembers(deps: Deps, { members }: ImportMembersRequest): Promise<LoadedBatch> {
  checkBatch(members);
  const rooms = new Set<string>();
  const roomIds = [...new Set(members.map(({ roomId }) => roomId))];
  for await (const { _id } of deps.rooms.find({ _id: { $in: roomIds } }, { projection: { _id: 1 } })) {
    rooms.add(_id);
  }
  const problems: ImportProblem[] = [];
  const places = new Map<string, MemberDocument>();
  for (const [index, { roomId, userId }] of members.entries()) {
    if (!rooms.has(roomId)) problems.push({ index, problem: `there is no room ${roomId}` });
    else if (!isUserId(userId)) problems.push({ index, problem: 'user_id is not a user id' });
    else places.set(memberId(roomId, userId), noMember(roomId, userId, deps.serverName));
  }
  const existing = deps.members.find({ _id: { $in: [...places.keys()] } }, { projection: { _id: 1 } });
  for await (const { _id } of existing) places.delete(_id);
  const loaded = await insert(deps, [...places.values()]);
  return { loaded, skipped: members.length - loaded - problems.length, problems };
}

async function insert(
  { members }: Pick<Deps, 'members'>,
  documents: readonly MemberDocument[],
): Promise<number> {
  if (documents.length === 0) return 0;
  try {
    return (await members.insertMany(documents, { ordered: false })).insertedCount;
  } catch (error) {
    // Somebody else loads the same: what is there is there.
    if (error instanceof Conflict) return error.insertedCount;
    throw error;
  }
}
