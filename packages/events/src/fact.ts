import type { DescMessage } from '@bufbuild/protobuf';

/** A kind of fact: its name, and the message that carries it. */
export interface Fact<Desc extends DescMessage = DescMessage, Type extends string = string> {
  /** `<service>.<fact>`, in the past tense: `user.deactivated`. */
  readonly type: Type;
  readonly schema: Desc;
}

const TYPE = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

/**
 * Declares a kind of fact.
 *
 * @throws TypeError when `type` is not of the form `<service>.<fact>` in lower case
 */
export function declareFact<Desc extends DescMessage, const Type extends string = string>(
  type: Type,
  schema: Desc,
): Fact<Desc, Type> {
  if (!TYPE.test(type)) throw new TypeError(`Fact ${type} is not of the form service.fact`);
  return { type, schema };
}
