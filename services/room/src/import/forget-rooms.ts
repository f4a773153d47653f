import type { Checked, ImportProblem, LoadedBatch } from '@steward/service';
import { type BulkOperation, type Doc, NOT_FLUSHED } from '@steward/store';
import type { Deps } from '../core/deps.ts';
import { isPresent, type MemberDocument } from '../core/model/member.ts';

/** Makes users forget rooms that they have left; one who is in the room again keeps it. */
export async function forgetRooms(
  { members }: Pick<Deps, 'members'>,
  documents: readonly Checked<Doc>[],
): Promise<LoadedBatch> {
  const problems: ImportProblem[] = [];
  const wanted = new Map<string, number>();
  for (const [index, each] of documents.entries()) {
    if ('problem' in each) problems.push({ index, problem: each.problem });
    else wanted.set(each.document._id, index);
  }
  const found = await members.find({ _id: { $in: [...wanted.keys()] } }).toArray();
  const known = new Set(found.map(({ _id }) => _id));
  for (const [_id, index] of wanted) {
    if (!known.has(_id)) problems.push({ index, problem: 'there is no such member' });
  }
  const changes = found
    .filter(({ membership, forgotten }) => !forgotten && !isPresent(membership))
    .map(
      ({ _id, event_id, room_id }): BulkOperation<MemberDocument> => ({
        updateOne: { filter: { _id, room_id, event_id }, update: { $set: { forgotten: true } } },
      }),
    );
  if (changes.length > 0) await members.bulkWrite(changes, { ...NOT_FLUSHED, ordered: false });
  return { loaded: changes.length, skipped: documents.length - changes.length - problems.length, problems };
}
