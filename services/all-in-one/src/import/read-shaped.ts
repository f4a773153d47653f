import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { JsonObject } from '@steward/kernel';
import { toRecord } from './read-record.ts';
import { FURTHER, formatOf } from './record-formats.ts';

/**
 * Reads a record of a kind as its message, with the further fields as one text, which the service reads.
 *
 * @throws Error that names the first field which does not exist, or has a value of another type
 */
export function readShaped<Desc extends DescMessage>(
  kind: string,
  schema: Desc,
  record: JsonObject,
): MessageShape<Desc> {
  const { further = {}, others } = formatOf(kind);
  if (FURTHER in record) throw new Error(`there is no field ${FURTHER}`);
  const isFurther = ([name]: readonly [string, unknown]) => Object.hasOwn(further, name);
  const entries = Object.entries(record);
  const message = toRecord(
    schema,
    Object.fromEntries(entries.filter((entry) => !isFurther(entry))),
    new Set(others.map(({ name }) => name)),
  );
  const beside = entries.filter(isFurther);
  return beside.length === 0
    ? message
    : { ...message, [FURTHER]: JSON.stringify(Object.fromEntries(beside)) };
}
