import { defineAggregate } from '@steward/service';
import type { Deps } from '../deps.ts';
import type { RegistrationToken } from '../model/registration-token.ts';

/** The fields that a change may set. */
export type TokenChange = Partial<
  Pick<RegistrationToken, 'uses_allowed' | 'completed' | 'expiry_ts' | 'held'>
>;

/** How registration tokens change, which has no effects elsewhere. */
export const registrationTokenAggregate = defineAggregate<RegistrationToken, never, Deps>({
  collection: (deps) => deps.registrationTokens,
  effects: {},
});

/**
 * Changes a token in one commit. `decide` runs again when another commit was quicker; without a change nothing is
 * written.
 *
 * @returns the token as it then is; `undefined` when there is none
 */
export function changeRegistrationToken(
  deps: Deps,
  token: string,
  decide: (token: RegistrationToken) => TokenChange | undefined,
): Promise<RegistrationToken | undefined> {
  return registrationTokenAggregate.change(deps, token, (current) => {
    const set = decide(current);
    return set && { set };
  });
}
