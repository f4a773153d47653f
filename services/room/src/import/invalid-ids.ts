import type { RecordKind } from '@steward/records';
import type { Doc } from '@steward/store';
import { isRoomAlias, isRoomId } from '../core/protocol/mod.ts';

/** Finds the documents of rooms whose ids are none, and aliases that are none. */
export async function invalidIds(
  { name, room }: RecordKind,
  documents: readonly Doc[],
): Promise<ReadonlyMap<number, string>> {
  const problems = new Map<number, string>();
  for (const [index, document] of documents.entries()) {
    const roomId = room && ((document as unknown as Readonly<Record<string, unknown>>)[room] ?? document._id);
    if (name === 'aliases' && !isRoomAlias(document._id)) problems.set(index, 'alias is not a room alias');
    else if (roomId !== undefined && !isRoomId(String(roomId)))
      problems.set(index, `${room} is not a room id`);
  }
  return problems;
}
