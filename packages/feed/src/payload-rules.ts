import { type DescField, getOption, hasOption } from '@bufbuild/protobuf';
import { payload } from '@steward/proto/steward/feed/v1/rules_pb.ts';

/** The declared rules of a field of a payload. */
export interface PayloadRules {
  /** The names of the fields that fill it, first the preferred one. */
  readonly from: readonly string[];
  /** Whether it lists the names of the fields that a request contains. */
  readonly changed: boolean;
  /** Whether it states that a list or a map was shortened. */
  readonly truncated: boolean;
  /** Whether the handler of a method reports it if no field fills it. */
  readonly reported: boolean;
}

const known = new WeakMap<DescField, PayloadRules>();

/** The rules of a field. They are decoded once, because reading an option decodes it each time. */
export function payloadRules(field: DescField): PayloadRules {
  let rules = known.get(field);
  if (rules === undefined) {
    const declared = hasOption(field, payload) ? getOption(field, payload) : undefined;
    rules = {
      from: declared && declared.from.length > 0 ? declared.from : [field.name],
      changed: declared?.changed ?? false,
      truncated: declared?.truncated ?? false,
      reported: declared?.reported ?? false,
    };
    known.set(field, rules);
  }
  return rules;
}
