import type { MessageInitShape } from '@bufbuild/protobuf';
import { UNLIMITED } from '@steward/limits';
import type { QuotaSchema } from '@steward/proto/steward/moderation/v1/quotas_pb.ts';
import type { Deps } from '../../core/deps.ts';

/**
 * The use and the quota of each kind.
 *
 * @throws refuse.invalidParam, refuse.unknown or refuse.notFound when there is no such user of this server
 */
export async function readQuotas(
  deps: Pick<Deps, 'users' | 'rooms' | 'media' | 'quotas'>,
  userId: string,
): Promise<{ readonly quotas: Record<string, MessageInitShape<typeof QuotaSchema>> }> {
  const account = await deps.users.quotasOf(userId);
  const [media, aliases] = await Promise.all([deps.media.of(userId), deps.rooms.countAliases(userId)]);
  const used: Readonly<Record<string, bigint>> = {
    ...account.used,
    media_count: media.count,
    media_bytes: media.bytes,
    aliases,
  };
  const ofKind = (kind: (typeof deps.quotas.kinds)[number]) => {
    const quota = deps.quotas.of(account, kind);
    return {
      used: used[kind] ?? 0n,
      quota: BigInt(Number.isFinite(quota) ? quota : UNLIMITED),
      own: account.quotas[kind] !== undefined,
    };
  };
  return { quotas: Object.fromEntries(deps.quotas.kinds.map((kind) => [kind, ofKind(kind)])) };
}
