import type { Clock } from '@steward/kernel';
import type { Sender } from '@steward/webhooks';
import * as openid from 'openid-client';
import type { SignInPurpose } from '../model/provider-sign-in.ts';
import { type ProvidedUser, readClaims } from './claims.ts';
import { type Logout, readLogoutToken } from './logout-token.ts';
import { ProviderFailure } from './provider-failure.ts';
import { fetchThrough } from './provider-fetch.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** How long the description of a provider is used, in milliseconds. */
const DESCRIPTION_LIFE_MS = 10 * 60_000;

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

interface ProviderOptions {
  readonly settings: ProviderSettings;
  /** Of the client; undefined for a public one. */
  readonly secret: string | undefined;
  readonly callbackUrls: Readonly<Record<SignInPurpose['target'], string>>;
  readonly sender: Pick<Sender, 'get' | 'post'>;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Creates a provider from its settings. */
export function createIdentityProvider(options: ProviderOptions): IdentityProvider {
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

/** Reads the description of a provider, which the settings or the provider itself give. A failure is not remembered. */
function descriptionOf({
  settings,
  sender,
  clock,
  timeoutMs,
}: ProviderOptions): () => Promise<openid.ServerMetadata> {
  const { issuer, client_id, authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = settings;
  if (authorization_endpoint !== undefined) {
    const given = { issuer, authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint };
    return async () => given;
  }
  const read = async () => {
    const signal = AbortSignal.timeout(timeoutMs);
    const plain = mayBePlain(settings);
    try {
      const config = await openid.discovery(new URL(issuer), client_id, undefined, undefined, {
        [openid.customFetch]: fetchThrough(sender, { mayBePlain: plain, signal }),
        execute: plain ? [openid.allowInsecureRequests] : [],
      });
      const found = config.serverMetadata();
      // The library accepts other issuers of some providers.
      if (new URL(found.issuer).href !== new URL(issuer).href)
        throw new ProviderFailure('lying', 'The provider describes another issuer');
      return found;
    } catch (error) {
      throw failureOf(error);
    }
  };
  let known: { readonly at: number; readonly found: Promise<openid.ServerMetadata> } | undefined;
  return () => {
    if (known && clock.now() - known.at < DESCRIPTION_LIFE_MS) return known.found;
    const reading = { at: clock.now(), found: read() };
    known = reading;
    reading.found.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading.found;
  };
}

function configure(
  { settings, secret, sender }: ProviderOptions,
  description: openid.ServerMetadata,
  signal: AbortSignal = AbortSignal.abort(),
): openid.Configuration {
  const plain = mayBePlain(settings);
  const metadata = { [openid.clockTolerance]: settings.clock_skew_ms / MS_PER_S };
  const config = new openid.Configuration(
    description,
    settings.client_id,
    metadata,
    authOf(settings, secret),
  );
  config[openid.customFetch] = fetchThrough(sender, { mayBePlain: plain, signal });
  // Without this, signatures of tokens are not checked that come over a connection with TLS.
  openid.enableNonRepudiationChecks(config);
  if (plain) openid.allowInsecureRequests(config);
  return config;
}

function authOf({ client_auth: auth }: ProviderSettings, secret: string | undefined): openid.ClientAuth {
  if (secret === undefined) return openid.None();
  return auth === 'post' ? openid.ClientSecretPost(secret) : openid.ClientSecretBasic(secret);
}

/** Whether requests without TLS are permitted: the issuer is on this machine. */
function mayBePlain({ issuer }: ProviderSettings): boolean {
  return issuer.startsWith('http:');
}

/** The error codes of a token endpoint that concern the code, and not the settings of the client. */
const CODE_ERRORS: readonly string[] = ['invalid_grant'];

function failureOf(error: unknown): ProviderFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ProviderFailure) return cause;
  if (error instanceof openid.ResponseBodyError) {
    const isCode = CODE_ERRORS.includes(error.error);
    return new ProviderFailure(isCode ? 'refused' : 'unreachable', `The provider answers ${error.error}`, {
      cause: error,
    });
  }
  const message = error instanceof Error ? error.message : 'The answer of the provider cannot be read';
  return new ProviderFailure('lying', message, { cause: error });
}
