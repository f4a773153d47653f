import { refuse } from '@steward/errors';
import type { Deps } from '../../core/deps.ts';
import { mediaKey } from '../../core/model/media.ts';
import { uploadTopic } from '../../core/model/pending-upload.ts';
import { type Audience, type VisibleMedia, visibleMedia } from './visible-media.ts';

/** How long a request waits for an upload unless it says otherwise, and at most. */
const USUAL_WAIT_MS = 20_000;
const MAX_WAIT_MS = 60_000;

/** A request of a medium. */
export interface Wanted {
  readonly serverName: string;
  readonly mediaId: string;
  readonly timeoutMs?: bigint | undefined;
}

/**
 * Returns the medium of a request as `visibleMedia` does, after its upload if its content URI was created and its bytes are not
 * uploaded yet (client-plane.md 12).
 *
 * @throws refuse.notYetUploaded when they were not uploaded in time
 */
export async function awaitUpload(
  deps: Deps,
  wanted: Wanted,
  audience: Audience,
  signal: AbortSignal,
): Promise<VisibleMedia> {
  const find = () => visibleMedia(deps, wanted, audience);
  const _id = mediaKey(wanted.serverName, wanted.mediaId);
  const isPending = async () => {
    const pending = await deps.pendingUploads.findOne({ _id }, { projection: { expires_ts: 1 } });
    return pending !== null && pending.expires_ts >= deps.clock.now();
  };
  try {
    return await find();
  } catch (refusal) {
    if (!(await isPending())) throw refusal;
  }
  const upload = nextUpload(deps, _id);
  try {
    // An upload that ended before this listened has removed what is pending.
    if (await isPending()) await upload.within(waitOf(wanted), signal);
  } finally {
    upload.end();
  }
  try {
    return await find();
  } catch (refusal) {
    throw (await isPending()) ? refuse.notYetUploaded('The medium is not uploaded yet; try again') : refusal;
  }
}

function waitOf({ timeoutMs = BigInt(USUAL_WAIT_MS) }: Wanted): number {
  return Math.min(Math.max(Number(timeoutMs), 0), MAX_WAIT_MS);
}

/** Listens for the end of an upload from now on. */
function nextUpload({ bus }: Pick<Deps, 'bus'>, key: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = bus.onNotification(uploadTopic(key), resolve);
  return {
    end,
    /** Resolves when it has ended, the time is up, or the client has gone. */
    async within(ms: number, signal: AbortSignal): Promise<void> {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => resolve());
      if (!signal.aborted) await promise;
      clearTimeout(timer);
    },
  };
}
