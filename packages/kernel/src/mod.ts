/** What every package may depend on: ids, time, randomness, JSON. No dependencies. */
export { type BackgroundRun, backgroundRun } from './background-run.ts';
export { toBase32 } from './base32.ts';
export { isBcryptHash, MAX_BCRYPT_COST, MIN_BCRYPT_COST } from './bcrypt-hash.ts';
export { canonicalJson, NotCanonical } from './canonical-json.ts';
export { clampToSafe } from './clamp-to-safe.ts';
export { type Clock, systemClock } from './clock.ts';
export { closeAll } from './close-all.ts';
export { coalesceCalls } from './coalesce-calls.ts';
export { compareCodePoints } from './compare.ts';
export { type ContentUri, parseContentUri } from './content-uri.ts';
export { eachOf } from './each-of.ts';
export { digestOf, idFrom } from './id-from.ts';
export { isObject, type JsonObject, own, ownString, pick, stringsOf } from './json.ts';
export { KeyedGroups } from './keyed-groups.ts';
export { linesOf } from './lines-of.ts';
export { readListToken, writeListToken } from './list-token.ts';
export { isMarkedSecret, newMarkedSecret } from './marked-secret.ts';
export { type GlobOptions, matchesGlob } from './matches-glob.ts';
export { createNotifier, type Notifier } from './notifier.ts';
export { optionalInt64 } from './optional-int64.ts';
export { passwordText } from './password-text.ts';
export { pauseBetween, pauseUntil } from './pause.ts';
export { idOf, type Random, randomCapitals, randomId, systemRandom } from './random.ts';
export { type Repetition, repeat } from './repeat.ts';
export { risingTimes, TIMES_PER_MS } from './rising-times.ts';
export { secretInCookies } from './secret-in-cookies.ts';
export { tlsRefusal } from './tls-refusal.ts';
export {
  endWith,
  type Span,
  type SpanAttributes,
  type SpanDescription,
  type SpanKind,
  type TraceContext,
  type Tracing,
} from './tracing.ts';
export { formatUserId, parseUserId, type UserId } from './user-id.ts';
export { withOverrides } from './with-overrides.ts';
