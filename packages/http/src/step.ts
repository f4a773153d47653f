import type { JsonObject } from './json-body.ts';
import type { Query } from './parse-query.ts';
import type { Profile } from './profile.ts';
import type { Violation } from './violation.ts';

/** The properties of a message object. */
export type Fields = Record<string, unknown>;

/** The headers of a request by lower-case name. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The parts of a request that steps read from. */
export interface RequestParts {
  readonly body: JsonObject;
  readonly query: Query;
  readonly headers: RequestHeaders;
  readonly profile: Profile;
}

/** Reads one field of a request into its message. */
export interface Step {
  readonly key: string;
  readonly from: 'body' | 'header' | 'query';
  /** Adds the field's name to `present` when the body has its key. Returns the violation, if any. */
  run(parts: RequestParts, into: Fields, present: string[]): Violation | undefined;
}
