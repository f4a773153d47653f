import { StartupError } from '@steward/rpc';
import { compileText, TEXT_ON_TYPE } from './read-text.ts';
import type { Step } from './step.ts';
import { nounOf } from './value-rules.ts';
import { Violation, WRONG } from './violation.ts';
import type { WireField } from './wire-field.ts';

/**
 * Compiles the step that reads a field from a header. The first value counts when a header was sent several
 * times.
 *
 * @throws StartupError for a field that a header cannot hold, or with rules that apply to bodies only
 */
export function headerStep(field: WireField): Step {
  const { localName, rules, shape } = field;
  const { header } = rules;
  const read = compileText(shape, rules);
  if (!read) throw new StartupError(`the field '${field.name}' cannot be read from a header`);
  if (rules.null || rules.truthy || rules.lenient)
    throw new StartupError(`the field '${field.name}' has rules for a body and is read from a header`);
  const missing = rules.onMissing === '' ? undefined : new Violation(rules.onMissing, header, 'is missing');
  const wrong = new Violation(rules.onType || TEXT_ON_TYPE, header, `must be ${nounOf(shape)}`);
  return {
    key: header,
    from: 'header',
    run({ headers }, into) {
      const sent = headers[header];
      const text = typeof sent === 'string' ? sent : sent?.[0];
      if (text === undefined) return missing;
      const value = read(text);
      if (value === WRONG) return wrong;
      if (value instanceof Violation) return value.inside(header);
      into[localName] = value;
      return undefined;
    },
  };
}
