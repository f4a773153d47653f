import { declareCollection } from '@steward/store';

/** A sign-in that has gone to an identity provider and has not come back. The secrets of both are stored as digests. */
export interface ProviderSignIn {
  /** The digest of the `state`, see `tokenDigest`. */
  _id: string;
  /** The id of the provider. */
  provider: string;
  /** The digest of the secret in the cookie of the browser. */
  browser: string;
  /** The app that gets the result; absent when it is the console, or a session of user-interactive authentication. */
  redirect_url?: string;
  /** The session of user-interactive authentication that the sign-in proves the user of. */
  interactive_session?: string;
  /** Whether the provider must let the user prove their identity again; absent means no. */
  step_up?: boolean;
  /** Milliseconds since the Unix epoch. */
  expires_ts: number;
}

/** Which page of the server a provider sends browsers back to, and what it is asked for. */
export interface SignInPurpose {
  readonly target: 'app' | 'console';
  /** Since when the user must have proved their identity, in milliseconds since the Unix epoch; undefined for no matter when. */
  readonly provedSince: number | undefined;
}

/** How long a user may take at the provider, in milliseconds. */
export const PROVIDER_SIGN_IN_LIFE_MS = 15 * 60_000;

/** Sign-ins with identity providers, by the digest of their state. */
export const providerSignIns = declareCollection<ProviderSignIn>({
  name: 'user.provider_sign_ins',
  shardKey: '_id',
  indexes: [{ name: 'expiry', keys: [['expires_ts', 1]] }],
});

/** What a sign-in asks the provider for. */
export function purposeOf(
  signIn: Pick<ProviderSignIn, 'redirect_url' | 'interactive_session' | 'step_up' | 'expires_ts'>,
): SignInPurpose {
  const isOfConsole = signIn.redirect_url === undefined && signIn.interactive_session === undefined;
  return {
    target: isOfConsole ? 'console' : 'app',
    provedSince: signIn.step_up ? signIn.expires_ts - PROVIDER_SIGN_IN_LIFE_MS : undefined,
  };
}
