import type { Planned } from '@steward/plans';
import type { DeletionParams } from '../../core/deletion/deletion.ts';
import type { Deps } from '../../core/deps.ts';
import { isBlocking } from '../../core/model/block.ts';
import type { PRESENT } from '../../core/model/member.ts';

/** What a deletion of a room would do; of an unknown one, at most block it. */
export async function deletionPlan(
  deps: Deps,
  roomId: string,
  { block, purge, newRoomUser }: DeletionParams,
): Promise<Planned> {
  const room = await deps.rooms.findOne({ _id: roomId });
  const blocks = block && !isBlocking(await deps.blocks.findOne({ _id: roomId })) ? 1 : 0;
  const blocked = { kind: 'blocks', change: 'created', count: blocks } as const;
  if (!room) return { changes: [blocked], sample: [{ kind: 'room', id: roomId }] };
  const isMoved = newRoomUser !== null;
  const local = (membership: (typeof PRESENT)[number]) =>
    deps.members.countDocuments({ room_id: roomId, membership, local: true });
  const [invited, knocked, aliases, events, data] = await Promise.all([
    local('invite'),
    local('knock'),
    isMoved || purge ? deps.aliases.countDocuments({ room_id: roomId }) : 0,
    purge ? deps.events.countDocuments({ room_id: roomId, arrival: { $gte: 1 } }) : 0,
    purge ? deps.users.countRoomData(roomId) : { accountData: 0, backedUpKeys: 0 },
  ]);
  const members = room.joined_local_members + invited + knocked;
  return {
    changes: [
      blocked,
      { kind: 'rooms', change: 'created', count: isMoved ? 1 : 0 },
      { kind: 'rooms', change: 'removed', count: purge ? 1 : 0 },
      { kind: 'local_members', change: 'removed', count: members },
      { kind: 'aliases', change: isMoved ? 'changed' : 'removed', count: aliases },
      { kind: 'events', change: 'removed', count: events },
    ],
    sample: [{ kind: 'room', id: roomId, name: room.name }],
    follows: purge
      ? [
          { service: 'user', kind: 'account_data_removed', count: data.accountData },
          { service: 'user', kind: 'backed_up_keys_removed', count: data.backedUpKeys },
          // The reports of its events, which another service counts.
          { service: 'moderation', kind: 'reports_hidden', count: 0, atLeast: true },
        ]
      : [],
    irreversible: [...(members > 0 ? ['memberships'] : []), ...(purge ? ['room'] : [])],
    state: [room.version],
  };
}
