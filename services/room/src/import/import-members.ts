import type { ImportMembersRequest } from '@steward/proto/steward/room/v1/import_pb.ts';
import { checkBatch, type ImportProblem, type LoadedBatch } from '@steward/service';
import type { Deps } from '../core/deps.ts';
import { memberId } from '../core/model/member.ts';
import { isUserId } from '../core/protocol/mod.ts';

/**
 * Checks records of members. It stores nothing: importing the member events inserts the members, so that totals and lists
 * of a room agree with its events even if an import is interrupted. Members whose events are imported count as skipped.
 */
export async function importMembers(deps: Deps, { members }: ImportMembersRequest): Promise<LoadedBatch> {
  checkBatch(members);
  const rooms = new Set<string>();
  const roomIds = [...new Set(members.map(({ roomId }) => roomId))];
  for await (const { _id } of deps.rooms.find({ _id: { $in: roomIds } }, { projection: { _id: 1 } })) {
    rooms.add(_id);
  }
  const problems: ImportProblem[] = [];
  const missing = new Set<string>();
  for (const [index, { roomId, userId }] of members.entries()) {
    if (!rooms.has(roomId)) problems.push({ index, problem: `there is no room ${roomId}` });
    else if (!isUserId(userId)) problems.push({ index, problem: 'user_id is not a user id' });
    else missing.add(memberId(roomId, userId));
  }
  const existing = deps.members.find({ _id: { $in: [...missing] } }, { projection: { _id: 1 } });
  for await (const { _id } of existing) missing.delete(_id);
  return { loaded: missing.size, skipped: members.length - missing.size - problems.length, problems };
}
