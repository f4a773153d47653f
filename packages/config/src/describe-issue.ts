import type { z } from 'zod';
import type { Merged } from './layers.ts';
import { listSettings } from './list-settings.ts';
import { nearest } from './nearest.ts';

const TYPES: Readonly<Record<string, string>> = {
  boolean: 'true or false (or on, off, 1, 0)',
  int: 'a whole number',
  number: 'a number',
  string: 'text',
  array: 'a list',
  object: 'a map of keys',
};

/** The messages of schemas that do not define their own. */
export function explain(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'too_small':
      if (issue.origin === 'string') {
        return Number(issue.minimum) > 1
          ? `is too short: it must have at least ${issue.minimum} characters`
          : 'must not be empty';
      }
      return issue.inclusive === false
        ? `must be more than ${issue.minimum}`
        : `must be at least ${issue.minimum}`;
    default:
      return undefined;
  }
}

/** The lines that report an issue: the setting, its source, and the problem. */
export function describeIssue(issue: z.core.$ZodIssue, { sources }: Merged): string[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [`${locate(path, sources)}: ${issue.message}`];
  return issue.keys.map((key) => {
    const meant = findMeant(path, key);
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    return `${locate([...path, key], sources)}: there is no such key${hint}`;
  });
}

function locate(path: readonly string[], sources: ReadonlyMap<string, string>): string {
  const name = path.join('.');
  for (let length = path.length; length > 0; length--) {
    const source = sources.get(path.slice(0, length).join('.'));
    if (source !== undefined) return `${name} (${source})`;
  }
  return name;
}

/** The key that an unknown key was probably meant to be: a sibling, or a setting of another section. */
function findMeant(parent: readonly string[], key: string): string | undefined {
  const prefix = parent.map((part) => `${part}.`).join('');
  const meant = new Map<string, string>();
  const offer = (word: string, name: string) => meant.has(word) || meant.set(word, name);
  const names = listSettings().map(({ path }) => path);
  for (const path of names) {
    if (path.slice(0, parent.length).every((part, i) => part === parent[i])) {
      const neighbour = path[parent.length];
      if (neighbour !== undefined) offer(neighbour, `${prefix}${neighbour}`);
    }
  }
  for (const path of names) {
    offer(path.at(-1) ?? '', path.join('.'));
    offer(path.join('_'), path.join('.'));
  }
  const word = nearest(key, meant.keys());
  return word === undefined ? undefined : meant.get(word);
}
