import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { messages } from '../../messages/en/common.ts';
import { explanationOf } from './refusals.ts';

it.each([
  [403, 'M_USER_SUSPENDED', 'suspended'],
  [401, 'M_USER_LOCKED', 'locked'],
  [403, 'STEWARD_CREDENTIAL_LIMITED', 'limited_credential'],
  [403, 'STEWARD_SECOND_FACTOR_REQUIRED', 'must_enrol'],
  [401, 'M_UNKNOWN_TOKEN', 'session_ended'],
  [401, 'STEWARD_STEP_UP_REQUIRED', 'step_up'],
  [403, 'M_FORBIDDEN', 'forbidden'],
  [412, 'M_PRECONDITION_FAILED', 'conflict'],
  [429, 'M_LIMIT_EXCEEDED', 'rate_limited'],
  [0, 'NETWORK_ERROR', 'network'],
  [403, 'M_OF_A_LATER_SERVER', 'forbidden'],
  [400, 'M_INVALID_PARAM', undefined],
  [400, 'toString', undefined],
] as const)('A refusal with %d %s is explained by %s', (status, errcode, explanation) => {
  expect(explanationOf({ status, errcode })).toBe(explanation);
});

it('Every errcode that is explained is one of the server, and its message exists', () => {
  const catalogue = join(import.meta.dirname, '../../../../packages/errors/src/catalogue.ts');
  const known = readFileSync(catalogue, 'utf8');
  const source = readFileSync(join(import.meta.dirname, 'refusals.ts'), 'utf8');
  const explained = [...source.matchAll(/^ {2}((?:M|ORG|STEWARD)_\w+): '(\w+)'/gm)];
  expect(explained.length).toBeGreaterThan(10);
  for (const [, errcode = '', explanation = ''] of explained) {
    expect(known).toContain(`'${errcode}'`);
    expect(messages.error).toHaveProperty(explanation);
  }
});
