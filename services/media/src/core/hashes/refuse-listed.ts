import { refuse } from '@steward/errors';
import { findListed, type MatchDeps, type MatchedUpload, recordMatch } from './match-upload.ts';

/**
 * Refuses the bytes of an upload if the list of known-bad content says so, after it recorded the match. The caller removes the bytes.
 *
 * @throws refuse.forbidden
 */
export async function refuseListed(
  deps: MatchDeps,
  sha256: string,
  upload: Omit<MatchedUpload, 'outcome'>,
): Promise<void> {
  const listed = await findListed(deps, sha256);
  if (listed?.action !== 'refuse') return;
  await recordMatch(deps, listed, { ...upload, outcome: 'refused' });
  throw refuse.forbidden('This server does not accept this content');
}
