import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { refuse } from '@steward/errors';
import type { PasskeyAssertion } from '@steward/proto/steward/user/v1/passkeys_pb.ts';
import { accountAggregate } from '../accounts/account-aggregate.ts';
import type { Deps } from '../deps.ts';
import type { Account } from '../model/account.ts';
import type { Passkey } from '../model/passkey.ts';
import { spendChallenge } from './challenges.ts';
import { requireRelyingParty } from './relying-party.ts';

/** What is asked of a passkey. */
interface Asked {
  /** The digest of the session in which it is proved; null for a sign-in. */
  readonly session: string | null;
  /** Whether it is the only proof: then the browser must have verified its user. */
  readonly alone: boolean;
}

/** Finds the account of a passkey; undefined when no active one has it. */
export async function holderOfPasskey(
  deps: Deps,
  { id }: Pick<PasskeyAssertion, 'id'>,
): Promise<Account | undefined> {
  const holder = await deps.accounts.findOne({ 'passkeys.credential': id }, { projection: { _id: 1 } });
  const account = holder && (await accountAggregate.load(deps, holder._id));
  return account && !account.deactivated ? account : undefined;
}

/** The passkey of an account that a browser claims to have. */
export function passkeyNamed(
  { passkeys = [] }: Pick<Account, 'passkeys'>,
  { id }: Pick<PasskeyAssertion, 'id'>,
): Passkey | undefined {
  return passkeys.find(({ credential }) => credential === id);
}

/**
 * Checks the proof of a passkey of an account, and records its use in one commit. The challenge is spent first: a crash after that costs the
 * user an attempt. A counter that does not rise is that of a copy, of which one of two uses is refused.
 *
 * @throws refuse.forbidden
 */
export async function usePasskey(
  deps: Deps,
  account: Pick<Account, '_id' | 'passkeys'>,
  assertion: PasskeyAssertion,
  { session, alone }: Asked,
): Promise<Passkey> {
  const { id: rpId, origin } = requireRelyingParty(deps);
  const challenge = await spendChallenge(deps, assertion.clientData, { purpose: 'prove', session });
  const passkey = passkeyNamed(account, assertion);
  const counter = passkey && (await counterIn(passkey));
  if (counter === undefined) throw wrong();
  let used: Passkey | undefined;
  await accountAggregate.change(deps, account._id, (current) => {
    const held = passkeyNamed(current, assertion);
    if (!held || held.public_key !== passkey?.public_key || !rises(held, counter)) throw wrong();
    used = { ...held, counter, used_ts: deps.clock.now() };
    return {
      set: { passkeys: (current.passkeys ?? []).map((each) => (each === held ? used : each) as Passkey) },
    };
  });
  if (!used) throw wrong();
  return used;

  async function counterIn(held: Passkey): Promise<number | undefined> {
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: {
          id: assertion.id,
          rawId: assertion.id,
          type: 'public-key',
          response: {
            clientDataJSON: assertion.clientData,
            authenticatorData: assertion.authenticatorData,
            signature: assertion.signature,
          },
          clientExtensionResults: {},
        },
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        credential: {
          id: held.credential,
          publicKey: new Uint8Array(Buffer.from(held.public_key, 'base64url')),
          counter: held.counter,
        },
        requireUserVerification: alone,
      });
      return verified ? authenticationInfo.newCounter : undefined;
    } catch {
      return undefined;
    }
  }
}

function rises({ counter: before }: Passkey, counter: number): boolean {
  return (before === 0 && counter === 0) || counter > before;
}

function wrong(): Error {
  return refuse.forbidden(
    'The passkey is not one of this account, was copied, or did not verify its user: use another one, or the password',
  );
}
