import type { Deps } from '../../core/deps.ts';
import type { KnownDevices } from '../../core/model/device-counts.ts';
import { userIdOf } from '../../core/model/member.ts';
import type { Room } from '../../core/model/room.ts';

/** Members whose devices are counted with one call. */
const BATCH = 1_000;

type CountDeps = Pick<Deps, 'members' | 'users' | 'deviceCounts'>;

/**
 * The number of devices of the members of a room who are users of this server. Where the user service can tell that no
 * device was added or removed, the number is kept until that happens, or until such a member joins or leaves.
 */
export async function countRoomDevices(deps: CountDeps, room: Room): Promise<number> {
  if (room.joined_local_members === 0) return 0;
  const known = deps.deviceCounts.get(room._id);
  if (known && (await isCurrent(deps, room, known))) return known.devices;
  let devices = 0;
  let revision: bigint | undefined;
  let batch: string[] = [];
  const countBatch = async () => {
    const counted = await deps.users.countDevices(batch);
    devices += counted.devices;
    // The first one, because devices may be added or removed between the calls.
    revision ??= counted.revision;
    batch = [];
  };
  const joined = { room_id: room._id, local: true, forgotten: false, membership: 'join' };
  for await (const { _id } of deps.members.find(joined, { projection: { _id: 1 } })) {
    batch.push(userIdOf(room._id, _id));
    if (batch.length === BATCH) await countBatch();
  }
  if (batch.length > 0) await countBatch();
  if (revision !== undefined) {
    deps.deviceCounts.set(room._id, { devices, localJoins: room.local_joins, revision });
  }
  return devices;
}

async function isCurrent(deps: CountDeps, room: Room, known: KnownDevices): Promise<boolean> {
  if (known.localJoins !== room.local_joins) return false;
  return (await deps.users.countDevices([])).revision === known.revision;
}
