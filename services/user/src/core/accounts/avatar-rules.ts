import { refuse } from '@steward/errors';
import { parseContentUri } from '@steward/kernel';
import type { Deps } from '../deps.ts';

/**
 * Refuses an avatar beyond the configured size or of another type than the configured ones. Where such a rule is
 * configured, an avatar that cannot be checked is refused as well: one of another server, or one that is not stored.
 *
 * @param avatar a content URI, or null for none
 * @throws refuse.forbidden (behaviour.md 2.2)
 */
export async function requirePermittedAvatar(
  { settings, media }: Pick<Deps, 'settings' | 'media'>,
  avatar: string | null,
): Promise<void> {
  const { maxBytes, types } = settings.avatars;
  if (avatar === null || (maxBytes === undefined && types === undefined)) return;
  const uri = parseContentUri(avatar);
  const medium = uri && (await media.describe(uri));
  if (!medium) throw refuse.forbidden('The avatar is not a medium that is stored here');
  if (maxBytes !== undefined && medium.length > maxBytes) {
    throw refuse.forbidden(`An avatar has at most ${maxBytes} bytes`);
  }
  if (types && !types.has(medium.type)) {
    throw refuse.forbidden(`An avatar is of one of the types ${[...types].join(', ')}`);
  }
}
