import type { Planned } from '@steward/plans';
import type { Deps } from '../deps.ts';

/** The number of devices whose documents are counted together. */
const BATCH = 500;

/** How many of the devices are named. */
const NAMED = 20;

type CountedDeps = Pick<
  Deps,
  'devices' | 'dehydratedDevices' | 'tokens' | 'refreshTokens' | 'oneTimeKeys' | 'deviceMessages' | 'pushers'
>;

/** What `removeDevices` would remove. */
export async function removalPlan(
  deps: CountedDeps,
  userId: string,
  deviceIds: readonly string[],
): Promise<Planned> {
  const ids = [...new Set(deviceIds)];
  const counted = [
    ['devices', deps.devices],
    ['sessions', deps.tokens],
    ['refresh_tokens', deps.refreshTokens],
    ['one_time_keys', deps.oneTimeKeys],
    ['device_messages', deps.deviceMessages],
    ['pushers', deps.pushers],
  ] as const;
  const counts = new Map<string, number>();
  const add = (kind: string, count: number) => counts.set(kind, (counts.get(kind) ?? 0) + count);
  const sample: { kind: string; id: string; name: string | null }[] = [];
  for (let start = 0; start < ids.length; start += BATCH) {
    const chosen = { user_id: userId, device_id: { $in: ids.slice(start, start + BATCH) } };
    for (const [kind, collection] of counted) add(kind, await collection.countDocuments(chosen));
    if (sample.length === NAMED) continue;
    const limit = NAMED - sample.length;
    const named = deps.devices.find(chosen, { sort: { device_id: 1 }, limit });
    for await (const { device_id: id, display_name: name } of named)
      sample.push({ kind: 'device', id, name });
  }
  const { device: dehydrated = null } = (await deps.dehydratedDevices.findOne({ _id: userId })) ?? {};
  // Its documents name no device.
  if (dehydrated && ids.includes(dehydrated.device_id)) {
    const { key_ring: keyRing } = dehydrated;
    add('one_time_keys', await deps.oneTimeKeys.countDocuments({ key_ring: keyRing }));
    add('device_messages', await deps.deviceMessages.countDocuments({ queue: keyRing }));
  }
  const devices = counts.get('devices') ?? 0;
  return {
    changes: [...counts].map(([kind, count]) => ({ kind, change: 'removed', count })),
    sample,
    irreversible: devices > 0 ? ['end_to_end_keys'] : [],
  };
}
