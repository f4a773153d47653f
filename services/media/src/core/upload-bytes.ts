import { refuse } from '@steward/errors';
import type { Deps } from './deps.ts';
import { CLAIM_GRACE_MS } from './keep-blob.ts';

/** How long an upload may take, in milliseconds: well within the time for which its bytes are left alone. */
const UPLOAD_LIMIT_MS = CLAIM_GRACE_MS / 2;

/**
 * The bytes of what comes in pieces.
 *
 * @param pieces what follows the first piece
 * @throws refuse.unavailable when they take too long to come
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
    if (clock.now() > deadline) throw refuse.unavailable('The upload took too long');
    yield value.data;
  }
}
