import { StartupError } from '@steward/rpc';
import { decodeText } from './parse-query.ts';
import type { Profile } from './profile.ts';
import { compileText, type ReadText, TEXT_ON_TYPE } from './read-text.ts';
import type { Step } from './step.ts';
import { nounOf } from './value-rules.ts';
import { Violation, WRONG } from './violation.ts';
import { leaf, type WireField } from './wire-field.ts';

/**
 * Compiles the step that reads a field from the query.
 *
 * @throws StartupError for a field that a query cannot hold, or with rules that apply to bodies only
 */
export function queryStep(field: WireField): Step {
  const { key, localName, rules, shape } = field;
  const read = compileText(shape.kind === 'list' ? shape.item : shape, rules);
  if (!read) throw new StartupError(`the field '${field.name}' cannot be read from a query`);
  if (rules.null || rules.truthy || rules.lenient)
    throw new StartupError(`the field '${field.name}' has rules for a body and is read from a query`);

  const missing = rules.onMissing === '' ? undefined : new Violation(rules.onMissing, key, 'is missing');
  const wrong = new Violation(rules.onType || TEXT_ON_TYPE, key, `must be ${nounOf(shape)}`);
  const undecodable = leaf(shape).kind === 'string' ? new Violation('M_UNKNOWN', key, 'is not UTF-8') : wrong;
  const valueBySpelling = new Map(rules.compatSpellings.map(({ compat, value }) => [compat, value]));
  const readEncoded = (encoded: string, profile: Profile): unknown => {
    const text = decodeText(encoded);
    if (text === undefined) return undecodable;
    const value = read((profile === 'compat' ? valueBySpelling.get(text) : undefined) ?? text);
    if (value === WRONG) return wrong;
    return value instanceof Violation ? value.inside(key) : value;
  };
  return {
    key,
    from: 'query',
    run({ query, profile }, into) {
      const values = query.get(key);
      if (!values) return missing;
      const value =
        shape.kind === 'list'
          ? readAll(values, (encoded) => readEncoded(encoded, profile))
          : readEncoded(values[0] as string, profile);
      if (value instanceof Violation) return value;
      into[localName] = value;
      return undefined;
    },
  };
}

function readAll(values: readonly string[], read: ReadText): unknown {
  const list: unknown[] = [];
  for (const value of values) {
    const item = read(value);
    if (item instanceof Violation) return item;
    list.push(item);
  }
  return list;
}
