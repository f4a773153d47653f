import type { Flaw } from './flaw.ts';
import type { JsonObject } from './json-body.ts';
import type { Query } from './parse-query.ts';

/** The properties of a message object. */
export type Fields = Record<string, unknown>;

/** The headers of a request by lower-case name; each has one value where it is read here. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Where the steps of a request find what they read. */
export interface Source {
  readonly body: JsonObject;
  readonly query: Query;
  readonly headers: RequestHeaders;
}

/** Reads one field of a request into its message. */
export interface Step {
  readonly key: string;
  readonly from: 'body' | 'header' | 'query';
  /** Adds the field's name to `present` when the body has its key. Returns the flaw, if there is one. */
  run(source: Source, into: Fields, present: string[]): Flaw | undefined;
}
