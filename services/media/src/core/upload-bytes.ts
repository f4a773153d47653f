import { refuse } from '@steward/errors';
import type { Deps } from './deps.ts';
import { CLAIM_GRACE_MS } from './keep-blob.ts';

/** The time limit of an upload, in milliseconds: well below the time for which the sweep keeps its bytes. */
const UPLOAD_LIMIT_MS = CLAIM_GRACE_MS / 2;

/**
 * Yields the bytes of an upload that arrives in pieces.
 *
 * @param pieces the pieces after the first one
 * @throws refuse.unavailable when they exceed the time limit
 */
export async function* bytesOf(
  { clock }: Pick<Deps, 'clock'>,
  pieces: AsyncIterator<{ readonly data: Uint8Array }>,
  first: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const deadline = clock.now() + UPLOAD_LIMIT_MS;
  if (first.length > 0) yield first;
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return;
    if (clock.now() > deadline) throw refuse.unavailable('The upload took too long; try again');
    yield value.data;
  }
}
