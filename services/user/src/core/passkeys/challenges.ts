import { refuse } from '@steward/errors';
import type { Deps } from '../deps.ts';
import { CHALLENGE_LIFE_MS, type PasskeyChallenge } from '../model/passkey.ts';
import { tokenDigest } from '../model/token.ts';

const CHALLENGE_BYTES = 32;

/** Makes a challenge, which any instance accepts once. */
export async function makeChallenge(
  { passkeyChallenges, random, clock }: Pick<Deps, 'passkeyChallenges' | 'random' | 'clock'>,
  of: Pick<PasskeyChallenge, 'purpose' | 'session'>,
): Promise<{ readonly challenge: string; readonly expiresTs: bigint }> {
  const challenge = random.bytes(CHALLENGE_BYTES).toString('base64url');
  const expires_ts = clock.now() + CHALLENGE_LIFE_MS;
  await passkeyChallenges.insertOne({ _id: tokenDigest(challenge), ...of, expires_ts });
  return { challenge, expiresTs: BigInt(expires_ts) };
}

/**
 * Spends the challenge that a browser has answered.
 *
 * @param clientData its `clientDataJSON`, in URL-safe base64
 * @returns the challenge
 * @throws refuse.forbidden for another, a used or an expired one
 */
export async function spendChallenge(
  { passkeyChallenges, clock }: Pick<Deps, 'passkeyChallenges' | 'clock'>,
  clientData: string,
  { purpose, session }: Pick<PasskeyChallenge, 'purpose' | 'session'>,
): Promise<string> {
  const challenge = challengeIn(clientData);
  const _id = tokenDigest(challenge);
  const found = challenge === '' ? undefined : await passkeyChallenges.findOne({ _id });
  const isOwn = found?.purpose === purpose && found.session === session && clock.now() < found.expires_ts;
  if (!isOwn || (await passkeyChallenges.deleteOne({ _id })).deletedCount === 0)
    throw refuse.forbidden('The challenge of the passkey was answered before, or has expired: try again');
  return challenge;
}

function challengeIn(clientData: string): string {
  try {
    const { challenge }: { challenge?: unknown } = JSON.parse(
      Buffer.from(clientData, 'base64url').toString(),
    );
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}
