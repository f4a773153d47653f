import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import { refuse } from '@steward/errors';
import type { AddPasskeyRequest } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import type { Passkey } from '../model/passkey.ts';
import type { RelyingParty } from './relying-party.ts';

/**
 * Reads what a browser has created. An attestation, which names the maker of the authenticator, is refused: none was asked for, and its
 * certificates name addresses that would be called.
 *
 * @throws refuse.forbidden when it is not the answer to the challenge, or of another origin
 */
export async function readNewPasskey(
  { id, clientData, attestation }: AddPasskeyRequest,
  challenge: string,
  { id: rpId, origin }: RelyingParty,
): Promise<Pick<Passkey, 'credential' | 'public_key' | 'counter'>> {
  const verified = await verify().catch(() => undefined);
  if (!verified?.registrationInfo) throw refuse.forbidden('This is not a passkey for this server');
  const { credential } = verified.registrationInfo;
  return {
    credential: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
  };

  async function verify() {
    const object = decodeAttestationObject(new Uint8Array(Buffer.from(attestation, 'base64url')));
    if (object.get('fmt') !== 'none') return undefined;
    return verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON: clientData, attestationObject: attestation },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
    });
  }
}
