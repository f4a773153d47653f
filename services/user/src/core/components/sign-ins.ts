import { toRefusal } from '@steward/errors';
import type { Counter, Labels } from '@steward/telemetry';

type SignIn = Labels<'steward_auth_sign_ins_total'>;

/** Counts attempts to obtain an access token. */
export type SignIns = Counter<SignIn>;

const TOO_MANY = 429;
const FAILED = 500;

/** Counts an attempt to obtain an access token by how it ends. */
export async function countSignIn<R>(
  signIns: SignIns,
  method: SignIn['method'],
  attempt: Promise<R>,
): Promise<R> {
  try {
    const result = await attempt;
    signIns.add({ method, outcome: 'ok' });
    return result;
  } catch (error) {
    const { status, errcode } = toRefusal(error);
    // The answer with the next stage of an interactive authentication is not an outcome.
    if (errcode !== undefined || status >= FAILED) signIns.add({ method, outcome: outcomeOf(status) });
    throw error;
  }
}

function outcomeOf(status: number): SignIn['outcome'] {
  if (status >= FAILED) return 'failed';
  return status === TOO_MANY ? 'limited' : 'refused';
}
