import * as openid from 'openid-client';
import type { SignInPurpose } from '../model/provider-sign-in.ts';
import { type ProvidedUser, readClaims } from './claims.ts';
import { type Connection, configure, descriptionOf, failureOf, mayBePlain } from './connection.ts';
import { type Logout, readLogoutToken } from './logout-token.ts';
import { ProviderFailure } from './provider-failure.ts';
import { fetchThrough } from './provider-fetch.ts';
import type { ProviderSettings } from './provider-settings.ts';

const MS_PER_S = 1_000;

/** What binds the answer of a provider to the request. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

/** The parameters with which a provider sends a browser back. */
export type ProviderAnswer = Readonly<Record<'state' | 'code' | 'iss' | 'error', string | undefined>>;

/** How a provider decided: about a user, or not, with the error code of OAuth. */
export type ProviderDecision =
  | { readonly kind: 'user'; readonly user: ProvidedUser }
  | { readonly kind: 'denied'; readonly error: string };

/** An identity provider. All methods throw `ProviderFailure`. */
export interface IdentityProvider {
  readonly settings: ProviderSettings;
  /** Where a browser goes to sign in. */
  signInUrl(secrets: SignInSecrets, purpose: SignInPurpose): Promise<string>;
  /** Reads the answer with which a browser comes back, and what the provider then says about the user. */
  readAnswer(
    answer: ProviderAnswer,
    secrets: SignInSecrets,
    purpose: SignInPurpose,
  ): Promise<ProviderDecision>;
  /** Reads a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). */
  readLogout(token: string): Promise<Logout>;
}

interface ProviderOptions extends Connection {
  readonly settings: ProviderSettings;
  readonly callbackUrls: Readonly<Record<SignInPurpose['target'], string>>;
}

/** Creates a provider from its settings. */
export function createIdentityProvider(given: Omit<ProviderOptions, 'endpoints'>): IdentityProvider {
  const options: ProviderOptions = { ...given, endpoints: endpointsOf(given.settings) };
  const { settings, callbackUrls, timeoutMs } = options;
  const describe = descriptionOf(options);
  return {
    settings,
    async signInUrl({ state, nonce, verifier }, { target, provedSince }) {
      const config = configure(options, await describe());
      const parameters = {
        redirect_uri: callbackUrls[target],
        scope: settings.scopes.join(' '),
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(provedSince === undefined ? {} : { prompt: 'login', max_age: '0' }),
      };
      const url = openid.buildAuthorizationUrl(config, parameters);
      if (url.protocol !== 'https:' && !mayBePlain(settings))
        throw new ProviderFailure('lying', 'The provider names an address without TLS');
      return url.href;
    },
    async readAnswer(answer, { state, nonce, verifier }, { target, provedSince }) {
      const description = await describe();
      // Its own limit: a later answer of the description to another sign-in may have been waited for.
      const signal = AbortSignal.timeout(timeoutMs);
      // The keys are read each time, so that one that the provider has just begun to use is known.
      const config = configure(options, description, signal);
      const current = new URL(callbackUrls[target]);
      for (const [name, value] of Object.entries(answer))
        if (value !== undefined) current.searchParams.set(name, value);
      try {
        const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
        const tokens = await openid.authorizationCodeGrant(config, current, checks);
        const claims = tokens.claims();
        if (!claims) throw new ProviderFailure('lying', 'The provider answers without an ID token');
        if (provedSince !== undefined) requireProof(settings, claims.auth_time, provedSince);
        const more =
          description.userinfo_endpoint === undefined
            ? {}
            : await openid.fetchUserInfo(config, tokens.access_token, claims.sub);
        return { kind: 'user', user: readClaims(settings, { ...more, ...claims }) };
      } catch (error) {
        if (error instanceof openid.AuthorizationResponseError) return { kind: 'denied', error: error.error };
        throw failureOf(error);
      }
    },
    async readLogout(token) {
      const description = await describe();
      try {
        return await readLogoutToken(token, {
          keys: await readKeys(options, description),
          issuer: description.issuer,
          audience: settings.client_id,
          skewMs: settings.clock_skew_ms,
          now: options.clock.now(),
        });
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

/** @throws ProviderFailure when the user has not proved their identity since then */
function requireProof(
  { clock_skew_ms: skewMs }: ProviderSettings,
  authTime: number | undefined,
  provedSince: number,
): void {
  if (authTime === undefined || authTime * MS_PER_S + MS_PER_S + skewMs < provedSince)
    throw new ProviderFailure('lying', 'The provider did not let the user prove their identity again');
}

/** Reads the keys of a provider. */
async function readKeys(
  { settings, sender, timeoutMs }: ProviderOptions,
  { jwks_uri: url = '' }: openid.ServerMetadata,
): Promise<unknown> {
  const send = fetchThrough(sender, {
    mayBePlain: mayBePlain(settings),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const headers = { accept: 'application/json' };
  const response = await send(url, { method: 'GET', headers, body: undefined, redirect: 'manual' });
  return response.json();
}

/** The endpoints that settings name. */
function endpointsOf({
  authorization_endpoint,
  token_endpoint,
  jwks_uri,
  userinfo_endpoint,
}: ProviderSettings): Connection['endpoints'] {
  return authorization_endpoint === undefined
    ? undefined
    : { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint };
}
