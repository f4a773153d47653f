import type { Clock } from '@steward/kernel';
import type { Sender } from '@steward/webhooks';
import * as openid from 'openid-client';
import { ProviderFailure } from './provider-failure.ts';
import { fetchThrough } from './provider-fetch.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** How long the description of a provider is used, in milliseconds. */
const DESCRIPTION_LIFE_MS = 10 * 60_000;

const MS_PER_S = 1_000;

/** How a provider is reached, and as which client. */
export interface Connection {
  readonly settings: Pick<ProviderSettings, 'issuer' | 'client_id' | 'client_auth' | 'clock_skew_ms'>;
  /** The endpoints that the settings name; undefined for those of the provider's description. */
  readonly endpoints: Partial<openid.ServerMetadata> | undefined;
  /** Of the client; undefined for a public one. */
  readonly secret: string | undefined;
  readonly sender: Pick<Sender, 'get' | 'post'>;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Reads the description of a provider, which the settings or the provider itself give. A failure is not remembered. */
export function descriptionOf({
  settings,
  endpoints,
  sender,
  clock,
  timeoutMs,
}: Connection): () => Promise<openid.ServerMetadata> {
  const { issuer, client_id } = settings;
  if (endpoints) {
    const given = { issuer, ...endpoints };
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

/** The client at a provider, for requests that `signal` ends; without it, for none. */
export function configure(
  { settings, secret, sender }: Connection,
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

function authOf(
  { client_auth: auth }: Connection['settings'],
  secret: string | undefined,
): openid.ClientAuth {
  if (secret === undefined) return openid.None();
  return auth === 'post' ? openid.ClientSecretPost(secret) : openid.ClientSecretBasic(secret);
}

/** Whether requests without TLS are permitted: the issuer is on this machine. */
export function mayBePlain({ issuer }: Pick<ProviderSettings, 'issuer'>): boolean {
  return issuer.startsWith('http:');
}

/** The error codes of a token endpoint that concern the code, and not the settings of the client. */
const CODE_ERRORS: readonly string[] = ['invalid_grant'];

/** What an error of the client says about the provider. */
export function failureOf(error: unknown): ProviderFailure {
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
