import type { IndexDeclaration } from '@steward/store';
import { tokenDigest } from './token.ts';

/** The session of a user at an identity provider, by which the provider ends what began with it. */
export interface ProviderSession {
  /** The digest of the provider and of the user's `sub` there. */
  readonly provider_sub: string;
  /** The digest of the provider and of its session, `sid`; absent if it names none. */
  readonly provider_sid?: string;
}

/** The names by which a provider knows a session. */
export interface SessionNames {
  readonly sub: string | undefined;
  readonly sid: string | undefined;
}

/** How the names of a provider are stored: of those that are given. */
export function digestsOf(provider: string, { sub, sid }: SessionNames): Partial<ProviderSession> {
  const digest = (name: string, value: string) => tokenDigest(JSON.stringify([provider, name, value]));
  return {
    ...(sub === undefined ? {} : { provider_sub: digest('sub', sub) }),
    ...(sid === undefined ? {} : { provider_sid: digest('sid', sid) }),
  };
}

/** The session at a provider that a document names. */
export function sessionOf({
  provider_sub,
  provider_sid,
}: Partial<ProviderSession>): Partial<ProviderSession> {
  return {
    ...(provider_sub === undefined ? {} : { provider_sub }),
    ...(provider_sid === undefined ? {} : { provider_sid }),
  };
}

/** The indexes by which what began with a session is found. */
export const PROVIDER_SESSION_INDEXES: IndexDeclaration<Partial<ProviderSession>>[] = [
  { name: 'provider_sub', keys: [['provider_sub', 1]], sparse: true },
  { name: 'provider_sid', keys: [['provider_sid', 1]], sparse: true },
];
