import { Access, Audit } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { REASON_HEADER } from '@steward/rpc';
import type { Binding } from '../bindings.ts';
import type { Part } from './schema.ts';

const NAME = 'Reason';

/** The parameter for the reason of a request. */
export const REASON_PARAMETER: Readonly<Record<string, Part>> = {
  [NAME]: {
    name: REASON_HEADER,
    in: 'header',
    required: false,
    description:
      'Why the request is made; the audit log contains it. At most 512 characters without control characters, in UTF-8; percent escapes are decoded. The configuration can require it (`audit.require_reason`).',
    schema: { type: 'string', maxLength: 512, pattern: '^[ -~]*$' },
  },
};

/** How operations refer to the parameter. */
export const REASON_REFERENCE: Part = { $ref: `#/components/parameters/${NAME}` };

/** Whether requests are those of administrators, or may use an administrator's right. */
export function takesReason({ rules }: Pick<Binding, 'rules'>): boolean {
  return rules.access === Access.ADMIN || rules.audit === Audit.BY_HANDLER || rules.plansRequests;
}
