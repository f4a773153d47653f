import type { Deps } from '../../core/deps.ts';

/** Returns the identity providers, as the page of the sign-in to the console shows them. */
export function getSignInProviders({ identityProviders }: Pick<Deps, 'identityProviders'>) {
  return { providers: identityProviders.all.map(({ settings: { id, name } }) => ({ id, name })) };
}
