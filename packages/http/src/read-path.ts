import { StartupError } from '@steward/rpc';
import { compileText, TEXT_ON_TYPE } from './read-text.ts';
import type { Fields } from './step.ts';
import { nounOf } from './value-rules.ts';
import { Violation, WRONG } from './violation.ts';
import type { WireField } from './wire-field.ts';

/** Reads one decoded path variable into its field. */
export interface PathStep {
  readonly key: string;
  run(params: Readonly<Record<string, string>>, into: Fields): Violation | undefined;
}

/**
 * Compiles the step that reads a field from the path. A missing variable is the empty string.
 *
 * @throws StartupError for a field that a path cannot hold
 */
export function pathStep({ key, name, localName, shape, rules }: WireField): PathStep {
  const read = compileText(shape, rules);
  if (!read) throw new StartupError(`the field '${name}' cannot be read from a path`);
  const wrong = new Violation(rules.onType || TEXT_ON_TYPE, key, `must be ${nounOf(shape)}`);
  return {
    key,
    run(params, into) {
      const value = read(params[name] ?? '');
      if (value === WRONG) return wrong;
      if (value instanceof Violation) return value.inside(key);
      into[localName] = value;
      return undefined;
    },
  };
}
