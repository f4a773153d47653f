import type { Thing, ThingKind } from '../session/recent.ts';

const PATTERNS: readonly (readonly [ThingKind, RegExp])[] = [
  ['user', /^@[^:\s]+:\S+$/],
  ['room', /^!\S+$/],
  ['medium', /^mxc:\/\/[^/\s]+\/[^/\s?#]+$/],
  ['report', /^case-[0-9a-f]{32}-\d+$/],
  ['report', /^(?:event|user|room|media)-\d+$/],
  ['task', /^resolve-case-[0-9a-f]{32}-\d+\.\d+$/],
  // 128 random bits in base64.
  ['task', /^[A-Za-z0-9_][\w-]{21}$/],
];

/** Returns what a text is the id of; nothing for other texts. Whether the thing exists is not asked. */
export function namedThing(text: string): Thing | undefined {
  const [kind] = PATTERNS.find(([, pattern]) => pattern.test(text)) ?? [];
  return kind === undefined ? undefined : { kind, id: text };
}
