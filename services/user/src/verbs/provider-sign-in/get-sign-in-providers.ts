import type { Deps } from '../../core/deps.ts';
import { relyingPartyOf } from '../../core/passkeys/relying-party.ts';

/** Returns the identity providers, and whether there are passkeys, as the page of the sign-in to the console shows them. */
export function getSignInProviders({
  identityProviders,
  settings,
}: Pick<Deps, 'identityProviders' | 'settings'>) {
  return {
    providers: identityProviders.all.map(({ settings: { id, name } }) => ({ id, name })),
    passkeys: relyingPartyOf({ settings }) !== undefined,
  };
}
