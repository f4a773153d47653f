import type { Config } from '@steward/config';
import type { Clock } from '@steward/kernel';
import { RELEASE } from '@steward/runtime';
import { createSender, parseAddressRules } from '@steward/webhooks';
import { LRUCache } from 'lru-cache';
import * as openid from 'openid-client';
import { readSecretFile } from '../components/read-secret-file.ts';
import { type Connection, configure, descriptionOf, failureOf } from '../identity-providers/connection.ts';
import { ProviderFailure } from '../identity-providers/provider-failure.ts';
import { tokenDigest } from '../model/token.ts';
import { readVerdict, type Verdict } from './verdict.ts';

/** About how many tokens answers are remembered in each process. */
const MAX_ANSWERS = 20_000;

/** How many tokens the issuer is asked about at the same time by each process; further ones fail at once. */
const MAX_IN_FLIGHT = 200;

/** The longest token that the issuer is asked about, in characters. */
const MAX_TOKEN_LENGTH = 8_192;

/** How long it is remembered at most that a token is not valid, in milliseconds: it may be valid on another instance of the issuer first. */
const MAX_NEGATIVE_MS = 10_000;

/** Asks the issuer of delegated authentication about access tokens (RFC 7662). */
export interface Introspector {
  /**
   * What the issuer says about a token; undefined when it is not a valid access token.
   *
   * @throws ProviderFailure when the issuer does not say it
   */
  ask(token: string): Promise<Verdict | undefined>;
  /** Ends all requests. */
  close(): Promise<void>;
}

interface Answer {
  readonly verdict: Verdict | undefined;
  /** Until when it is used, in milliseconds since the Unix epoch. */
  readonly until: number;
}

/**
 * Creates what asks the configured issuer; undefined without one. No request is made before the first token.
 *
 * @throws StartupError for a secret that cannot be read
 */
export function createIntrospector(
  { delegated_authentication: settings, oidc }: Pick<Config, 'delegated_authentication' | 'oidc'>,
  clock: Clock,
): Introspector | undefined {
  const { issuer, client_id, client_auth, client_secret_file: file, timeout_ms: timeoutMs } = settings;
  if (issuer === undefined) return undefined;
  const sender = createSender({
    rules: parseAddressRules(oidc.allowed_addresses),
    timeoutMs,
    release: RELEASE,
    clock,
  });
  const connection: Connection = {
    settings: { issuer, client_id: client_id ?? '', client_auth, clock_skew_ms: 0 },
    endpoints:
      settings.introspection_endpoint === undefined
        ? undefined
        : { introspection_endpoint: settings.introspection_endpoint },
    secret: file === undefined ? undefined : readSecretFile('delegated_authentication', file),
    sender,
    timeoutMs,
    clock,
  };
  const describe = descriptionOf(connection);
  const request = async (token: string): Promise<Verdict | undefined> => {
    const description = await describe();
    const config = configure(connection, description, AbortSignal.timeout(timeoutMs));
    try {
      const answer = await openid.tokenIntrospection(config, token, { token_type_hint: 'access_token' });
      return readVerdict(answer, { ...settings, issuer: description.issuer, now: clock.now() });
    } catch (error) {
      throw failureOf(error);
    }
  };
  const cacheMs = settings.cache_ms;
  const answers = rememberAnswers(clock, async (token) => {
    const verdict = await request(token);
    const life = verdict ? cacheMs : Math.min(cacheMs, MAX_NEGATIVE_MS);
    return { verdict, until: Math.min(clock.now() + life, verdict?.expiresTs ?? Number.POSITIVE_INFINITY) };
  });
  return { ask: answers, close: () => sender.close() };
}

/** Remembers answers for their time. Concurrent questions about one token are one; a failure is not remembered. */
function rememberAnswers(
  clock: Clock,
  ask: (token: string) => Promise<Answer>,
): (token: string) => Promise<Verdict | undefined> {
  const known = new LRUCache<string, Answer>({ max: MAX_ANSWERS });
  const asked = new Map<string, Promise<Answer>>();
  return async (token) => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const key = tokenDigest(token);
    const held = known.get(key);
    if (held && held.until > clock.now()) return held.verdict;
    const running = asked.get(key);
    if (running) return (await running).verdict;
    if (asked.size >= MAX_IN_FLIGHT)
      throw new ProviderFailure('slow', 'Too many questions to the issuer wait for an answer');
    const asking = ask(token).finally(() => asked.delete(key));
    asked.set(key, asking);
    const answer = await asking;
    known.set(key, answer);
    return answer.verdict;
  };
}
