import { IDEMPOTENCY_KEY_HEADER, REPLAYED_HEADER } from '@steward/rpc';
import type { Binding } from '../bindings.ts';
import { hasPosition } from './position.ts';
import type { Part } from './schema.ts';

const NAME = 'IdempotencyKey';

/** The parameter by which a change is made once. */
export const KEY_PARAMETER: Readonly<Record<string, Part>> = {
  [NAME]: {
    name: IDEMPOTENCY_KEY_HEADER,
    in: 'header',
    required: false,
    description:
      'Makes the change once, however often the request is repeated with the same key: a text of 1 to 255 printable ASCII characters, bare or in quotation marks, new for each change. Within 24 hours, a repetition gets the first answer.',
    schema: { type: 'string' },
  },
};

/** How operations refer to the parameter. */
export const KEY_REFERENCE: Part = { $ref: `#/components/parameters/${NAME}` };

/** The header of answers to repetitions. */
export const REPLAYED: Readonly<Record<string, Part>> = {
  [REPLAYED_HEADER]: {
    description: `\`true\` for the answer to an earlier request with the same \`${IDEMPOTENCY_KEY_HEADER}\`; otherwise absent.`,
    schema: { type: 'string' },
  },
};

/** The refusals of a key, by status. */
export const KEY_ERRCODES: readonly (readonly [status: number, errcodes: readonly string[]])[] = [
  [400, ['M_INVALID_PARAM']],
  [409, ['STEWARD_ACTION_IN_PROGRESS', 'STEWARD_ALREADY_DONE']],
  [422, ['STEWARD_IDEMPOTENCY_KEY_REUSED']],
];

/** Whether requests are changes that can have a key. */
export function takesKey(binding: Binding): boolean {
  return hasPosition(binding) && !binding.rules.sessionCookie;
}
