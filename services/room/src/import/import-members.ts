import type { ImportMembersRequest } from '@steward/proto/steward/room/v1/import_pb.ts';
import { Conflict } from '@steward/store';
import type { Deps } from '../core/deps.ts';
import { type MemberDocument, memberId, noMember } from '../core/model/member.ts';
import { isUserId } from '../core/protocol/mod.ts';
import { checkBatch, type ImportProblem, type LoadedBatch } from './loaded-batch.ts';

/**
 * Inserts member documents without membership. Importing the member events sets the membership, so that totals and
 * lists of a room agree with its events even if an import is interrupted.
 */
export async function importMembers(deps: Deps, { members }: ImportMembersRequest): Promise<LoadedBatch> {
  checkBatch(members);
  const rooms = new Set<string>();
  const roomIds = [...new Set(members.map(({ roomId }) => roomId))];
  for await (const { _id } of deps.rooms.find({ _id: { $in: roomIds } }, { projection: { _id: 1 } })) {
    rooms.add(_id);
  }
  const problems: ImportProblem[] = [];
  const missing = new Map<string, MemberDocument>();
  for (const [index, { roomId, userId }] of members.entries()) {
    if (!rooms.has(roomId)) problems.push({ index, problem: `there is no room ${roomId}` });
    else if (!isUserId(userId)) problems.push({ index, problem: 'user_id is not a user id' });
    else missing.set(memberId(roomId, userId), noMember(roomId, userId, deps.serverName));
  }
  const existing = deps.members.find({ _id: { $in: [...missing.keys()] } }, { projection: { _id: 1 } });
  for await (const { _id } of existing) missing.delete(_id);
  const loaded = await insert(deps, [...missing.values()]);
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
    // Another import inserted the same members.
    if (error instanceof Conflict) return error.insertedCount;
    throw error;
  }
}
