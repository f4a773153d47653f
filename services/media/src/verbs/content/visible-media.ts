import { refuse } from '@steward/errors';
import type { Deps } from '../../core/deps.ts';
import { type Media, mediaKey } from '../../core/model/media.ts';

/** A medium with bytes that the caller may see. */
export type VisibleMedia = Media & { readonly blob: string };

/** Who may see a medium: every caller, holders of an access token, or administrators, who also see quarantined media. */
export type Audience = 'public' | 'user' | 'admin';

/**
 * Returns the medium of a request. It is read for every request, so that a quarantine takes effect immediately.
 *
 * @throws refuse.notFound when the caller may see no such medium, without the reason
 */
export async function visibleMedia(
  deps: Pick<Deps, 'media' | 'settings'>,
  { serverName, mediaId }: { readonly serverName: string; readonly mediaId: string },
  audience: Audience,
): Promise<VisibleMedia> {
  const found = await deps.media.findOne({ _id: mediaKey(serverName, mediaId) });
  const isHidden =
    found === null ||
    found.state !== 'stored' ||
    (found.quarantined_by !== null && audience !== 'admin') ||
    (audience === 'public' && isForUsersOnly(deps, found));
  if (isHidden || found.blob === null) throw refuse.notFound('There is no such medium');
  return { ...found, blob: found.blob };
}

/** Whether downloads of a medium require a token now and did so at its upload (client-plane.md 7.12). */
function isForUsersOnly({ settings }: Pick<Deps, 'settings'>, { authenticated }: Media): boolean {
  return authenticated && !settings.legacyDownload;
}
