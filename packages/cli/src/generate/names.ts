import { COMMON_FLAGS } from '../operations/common-flags.ts';

/** Returns the kebab case of a name in snake case or camel case. */
export function kebab(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/**
 * Returns the flag of a parameter, without dashes. A flag that all commands have with another meaning gets the place of
 * the parameter in front: `reason` of a body is `body-reason`. That of a secret names the file to read it from.
 *
 * @throws Error if the name begins like the negation of a flag
 */
export function flagOf(name: string, place: 'query' | 'body', isSecret: boolean): string {
  const flag = kebab(name);
  if (flag.startsWith('no-')) throw new Error(`--${flag} would be the negation of another flag`);
  if (isSecret) return `${flag}-file`;
  return COMMON_FLAGS.has(flag) ? `${place}-${flag}` : flag;
}
