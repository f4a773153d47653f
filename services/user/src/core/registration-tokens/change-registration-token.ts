import { commit, retryOnConflict } from '@steward/store';
import type { Deps } from '../deps.ts';
import type { RegistrationToken } from '../model/registration-token.ts';

/** How long a change is decided anew when others change the same token meanwhile. */
const CONFLICT_DEADLINE_MS = 20_000;

/** The fields that a change may set. */
export type TokenChange = Partial<
  Pick<RegistrationToken, 'uses_allowed' | 'completed' | 'expiry_ts' | 'held'>
>;

/**
 * Changes a token in one commit. `decide` sees it as it is and may be asked again when somebody else was
 * quicker; without a change nothing is written.
 *
 * @returns the token as it then is; `undefined` when there is none
 */
export async function changeRegistrationToken(
  deps: Deps,
  token: string,
  decide: (token: RegistrationToken) => TokenChange | undefined,
): Promise<RegistrationToken | undefined> {
  const { clock, random } = deps;
  const change = async () => {
    const current = await deps.registrationTokens.findOne({ _id: token });
    const set = current && decide(current);
    return current && set ? commit(deps.registrationTokens, current, { set }) : (current ?? undefined);
  };
  return retryOnConflict(change, { deadlineMs: clock.now() + CONFLICT_DEADLINE_MS, clock, random });
}
