import type { Deps } from '../../core/deps.ts';
import { issueNonce } from './nonce.ts';
import { requireSecret } from './require-secret.ts';

/** Issues a nonce for one registration (behaviour.md 1.1). */
export function getNonce(deps: Deps) {
  requireSecret(deps);
  return { nonce: issueNonce(deps) };
}
