import type { BeginPasskeyResponse, PasskeyAssertion, PasskeysAddParams } from '@steward/sdk';
import { client } from '../client/client.ts';

type Created = Omit<PasskeysAddParams, 'name'>;

/** Whether this browser has passkeys. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && navigator.credentials !== undefined;
}

/**
 * Asks the browser to prove a passkey.
 *
 * @param purpose whether a session begins, or is proved again
 * @throws DOMException when the user closes the question, or has no passkey here
 */
export async function provePasskey(purpose: 'sign-in' | 'step-up'): Promise<PasskeyAssertion> {
  const { challenge, rp_id: rpId } =
    purpose === 'sign-in' ? await client.passkeys.beginSignIn({}) : await client.passkeys.beginStepUp({});
  const credential = await navigator.credentials.get({
    publicKey: { challenge: bytesOf(challenge), rpId, userVerification: 'preferred' },
  });
  const { rawId, response } = credential as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature } = response as AuthenticatorAssertionResponse;
  return {
    id: textOf(rawId),
    client_data: textOf(clientDataJSON),
    authenticator_data: textOf(authenticatorData),
    signature: textOf(signature),
  };
}

/** Asks the browser to create a passkey for the account of the session, as the server has begun it. */
export async function createPasskey(begun: BeginPasskeyResponse): Promise<Created> {
  const { challenge, rp_id: id, rp_name: name, user_handle: handle, user_id: user, exclude } = begun;
  const credential = await navigator.credentials.create({
    publicKey: {
      challenge: bytesOf(challenge),
      rp: { id, name },
      user: { id: bytesOf(handle), name: user, displayName: user },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: exclude.map((each) => ({ type: 'public-key', id: bytesOf(each) })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      attestation: 'none',
    },
  });
  const { rawId, response } = credential as PublicKeyCredential;
  const { clientDataJSON, attestationObject } = response as AuthenticatorAttestationResponse;
  return {
    id: textOf(rawId),
    client_data: textOf(clientDataJSON),
    attestation: textOf(attestationObject),
  };
}

/** EdDSA, ES256 and RS256, which authenticators have. */
const ALGORITHMS = [-8, -7, -257];

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function textOf(buffer: ArrayBuffer): string {
  const characters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte));
  return btoa(characters.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
