import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { Access } from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { POSITION_HEADER, WAIT_HEADER } from '@steward/rpc';
import type { Binding } from '../bindings.ts';
import type { Part } from './schema.ts';

const NAME = 'WaitFor';

const { NO_SIDE_EFFECTS } = MethodOptions_IdempotencyLevel;

/** The parameter with the changes that a read waits for. */
export const WAIT_PARAMETER: Readonly<Record<string, Part>> = {
  [NAME]: {
    name: WAIT_HEADER,
    in: 'header',
    required: false,
    description: `Positions of changes, separated by commas; at most 20. The request waits until they are in the feed of events and in the audit log, at most two seconds. An answer to a change has its position in the header \`${POSITION_HEADER}\`.`,
    schema: { type: 'string' },
  },
};

/** How operations refer to the parameter. */
export const WAIT_REFERENCE: Part = { $ref: `#/components/parameters/${NAME}` };

/** The header of answers to changes. */
export const POSITION: Readonly<Record<string, Part>> = {
  [POSITION_HEADER]: {
    description: `The position of the change, for the header \`${WAIT_HEADER}\` of reads. Absent when the audit log has no entry of it.`,
    schema: { type: 'string' },
  },
};

/** Whether requests are reads that can wait for changes. */
export function waitsForChanges({ verb, rules }: Binding): boolean {
  return verb === 'GET' && rules.access === Access.ADMIN;
}

/** Whether answers have the position of a change. */
export function hasPosition({ verb, method, rules }: Binding): boolean {
  return (
    verb !== 'GET' &&
    rules.access === Access.ADMIN &&
    method.methodKind === 'unary' &&
    method.idempotency !== NO_SIDE_EFFECTS
  );
}
