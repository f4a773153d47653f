import { defineAggregate } from '@steward/service';
import type { Deps } from '../deps.ts';
import type { RegistrationToken } from '../model/registration-token.ts';

/** The fields that a change may set. */
export type TokenChange = Partial<
  Pick<RegistrationToken, 'uses_allowed' | 'completed' | 'expiry_ts' | 'held'>
>;

/** The aggregate of registration tokens, whose changes have no effects elsewhere. */
export const registrationTokenAggregate = defineAggregate<RegistrationToken, never, Deps>({
  collection: (deps) => deps.registrationTokens,
  effects: {},
});

/**
 * Changes a token in one commit. `decide` runs again when a concurrent commit was faster, and returns `undefined`
 * for no change.
 *
 * @returns the changed token; `undefined` when there is none
 */
export async function changeRegistrationToken(
  deps: Deps,
  token: string,
  decide: (token: RegistrationToken) => TokenChange | undefined,
): Promise<RegistrationToken | undefined> {
  const changed = await registrationTokenAggregate.change(deps, token, (current) => {
    const set = decide(current);
    return set && { set };
  });
  return changed?.document;
}
