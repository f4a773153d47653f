import { matchesGlob, own } from '@steward/kernel';
import type { Difference } from './differences.ts';

/** A difference that is meant to be. */
export interface Allowed {
  /** The name of the question or of the list, and the path in the answer, with slashes: `*` is any text in a name, `**` any number of names. */
  readonly path: string;
  readonly reason: string;
  /** Which differences at the path; all unless given. */
  readonly when?: (difference: Difference, about: About) => boolean;
}

/** What a question was about. */
export interface About {
  readonly key: string;
  /** The administrators who ask, and whose password is tried. */
  readonly askers: ReadonlySet<string>;
}

const isAsker = (_: unknown, { key, askers }: About) => askers.has(key);

const isNew = ({ old }: Difference) => old === undefined;
const isGone = ({ now }: Difference) => now === undefined;

const isLater = ({ old, now }: Difference) => Number(now) > Number(old ?? 0);

const ASKING = 'who asks, or whose password was tried, is seen by one server later';
const SINCE = 'who has used the new server since was seen there later';
const NOT_SHOWN = 'steward does not show it here';
const AGES = 'ages are those of the moment of the answer';

/** Every difference that is meant to be; the documents repeat them. */
export const ALLOWED: readonly Allowed[] = [
  { path: 'users/last_seen_ts', reason: ASKING, when: isAsker },
  { path: 'user/last_seen_ts', reason: ASKING, when: isAsker },
  { path: 'devices/devices/*/last_seen_*', reason: ASKING, when: isAsker },
  { path: 'users/last_seen_ts', reason: SINCE, when: isLater },
  { path: 'user/last_seen_ts', reason: SINCE, when: isLater },
  { path: 'devices/devices/*/last_seen_ts', reason: SINCE, when: isLater },
  {
    path: 'accountdata/account_data/global/m.push_rules',
    reason: 'steward shows push rules as account data',
    when: isNew,
  },
  {
    path: 'accountdata/account_data/rooms/*/m.tag',
    reason: 'steward shows tags as account data',
    when: isNew,
  },
  { path: 'pushers/pushers/*/enabled', reason: NOT_SHOWN, when: isGone },
  { path: 'pushers/pushers/*/device_id', reason: NOT_SHOWN, when: isGone },
  {
    path: 'pushers/pushers/*',
    reason: 'pushers that are switched off are not carried',
    when: ({ old, now }) => now === undefined && own(old, 'enabled') === false,
  },
  { path: 'media/media/*/user_id', reason: NOT_SHOWN, when: isGone },
  { path: 'media/media/*/authenticated', reason: NOT_SHOWN, when: isGone },
  { path: 'media/media/*/sha256', reason: NOT_SHOWN, when: isGone },
  {
    path: 'media/media/*',
    reason: 'previews of pages, and media that were announced and never uploaded, are not carried',
    when: ({ old, now }) =>
      now === undefined && (own(old, 'media_length') === null || typeof own(old, 'url_cache') === 'string'),
  },
  {
    path: 'media/media/*/last_access_ts',
    reason: 'the old server notes when media were last read some time after it',
  },
  { path: 'state/**/age', reason: AGES },
  { path: 'messages/**/age', reason: AGES },
  { path: 'messages/start', reason: 'positions are those of each server' },
  { path: 'messages/end', reason: 'positions are those of each server' },
  {
    path: 'messages/state',
    reason: 'steward says that it is empty',
    when: ({ old, now }) => old === undefined && Array.isArray(now) && now.length === 0,
  },
  {
    path: 'messages/chunk/*/unsigned/m.relations/**',
    reason: 'this endpoint of steward does not bundle relations',
    when: isGone,
  },
  { path: 'state/state/*/**/prev_content/**', reason: 'steward shows what an event replaced', when: isNew },
  {
    path: 'state/state/*/**/prev_sender',
    reason: 'steward shows what an event replaced',
    when: isNew,
  },
  { path: 'state/state/*/**/replaces_state', reason: 'steward shows what an event replaced', when: isNew },
  { path: 'event_report/event_json/unsigned/age_ts', reason: AGES, when: isGone },
];

/** The rule that allows a difference. */
export function ruleFor(of: string, difference: Difference, about: About): Allowed | undefined {
  const path = [of, ...difference.path];
  return ALLOWED.find(
    (rule) => matches(rule.path.split('/'), path) && (rule.when?.(difference, about) ?? true),
  );
}

/** Whether a path has the form of a pattern. */
function matches(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return path.length === 0;
  if (first === '**') return matches(rest, path) || (path.length > 0 && matches(pattern, path.slice(1)));
  const [name, ...others] = path;
  return name !== undefined && matchesGlob(first, name) && matches(rest, others);
}
