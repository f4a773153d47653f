import type { Filter } from '@steward/store';
import type { AutomationToken } from '../model/automation-token.ts';

/** How many secrets are remembered; others are found along the index. */
const MAX_REMEMBERED = 5_000;

/**
 * Remembers to which automation token a secret belongs, so that its token is read by id, which costs a fraction of a search. It
 * never says that a secret is valid: a secret belongs to one token for ever, and the token is read for each request.
 */
export interface KnownSecrets {
  /** What finds the token that has, or had, the secret of a digest. */
  filter(digest: string): Filter<AutomationToken>;
  /** Remembers the token of a secret. */
  add(digest: string, id: string): void;
}

/** Remembers secrets by their digests. */
export function createKnownSecrets(): KnownSecrets {
  const ids = new Map<string, string>();
  return {
    filter(digest) {
      const _id = ids.get(digest);
      return _id === undefined ? { 'secrets.digest': digest } : { _id };
    },
    add(digest, id) {
      if (ids.has(digest)) return;
      ids.set(digest, id);
      if (ids.size > MAX_REMEMBERED) ids.delete(ids.keys().next().value as string);
    },
  };
}
