import { refuse } from '@steward/errors';
import type { Deps } from '../../core/deps.ts';
import { type Media, mediaKey } from '../../core/model/media.ts';

/** A medium that may be shown, which has bytes. */
export type VisibleMedia = Media & { readonly blob: string };

/**
 * The medium of a request, read anew each time: a quarantine takes effect at once.
 *
 * @param publicly whether the caller is not authenticated
 * @throws refuse.notFound when there is none that they may see, without saying why
 */
export async function visibleMedia(
  deps: Pick<Deps, 'media' | 'settings'>,
  { serverName, mediaId }: { readonly serverName: string; readonly mediaId: string },
  publicly: boolean,
): Promise<VisibleMedia> {
  const found = await deps.media.findOne({ _id: mediaKey(serverName, mediaId) });
  const hidden = found === null || found.quarantined_by !== null || found.state !== 'stored';
  if (hidden || found.blob === null || (publicly && isForUsersOnly(deps, found))) {
    throw refuse.notFound('There is no such medium');
  }
  return { ...found, blob: found.blob };
}

/** Whether a medium was uploaded since the settings reserve media for users (client-plane.md 7.12). */
function isForUsersOnly({ settings }: Pick<Deps, 'settings'>, { authenticated }: Media): boolean {
  return authenticated && !settings.legacyDownload;
}
