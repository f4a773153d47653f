import type { Methods } from '@steward/sdk';

type Group = keyof Methods;

/** An operation of the API by its group and name in the client library, such as `users.get`. */
export type Operation = { [G in Group]: `${G}.${Extract<keyof Methods[G], string>}` }[Group];

type Method<O extends Operation> = O extends `${infer G}.${infer Name}`
  ? G extends Group
    ? Name extends keyof Methods[G]
      ? Methods[G][Name]
      : never
    : never
  : never;

/** The parameters of an operation. */
export type Params<O extends Operation> =
  Method<O> extends (...args: infer A) => unknown ? NonNullable<A[0]> : never;

/** The answer of an operation; the first page of a list. */
export type Answer<O extends Operation> =
  Method<O> extends (...args: never[]) => infer Result ? Awaited<Result> : never;

/** The operations whose answer has a list in pages. */
export type PagedOperation = {
  [O in Operation]: Method<O> extends (...args: never[]) => { pages(): unknown } ? O : never;
}[Operation];

/** An item of a list. */
export type Item<O extends PagedOperation> =
  Method<O> extends (...args: never[]) => AsyncIterable<infer One> ? One : never;
