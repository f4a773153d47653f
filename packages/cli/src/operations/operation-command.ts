/** How the text of a flag becomes a value. `any` is JSON where the text is JSON, else the text itself. */
export type ParameterType = 'string' | 'integer' | 'number' | 'boolean' | 'json' | 'any';

/** A parameter of an operation, as the command line takes it. */
export interface CommandParameter {
  /** The documented name, that of the request. */
  readonly name: string;
  /** The flag without its dashes; undefined for an argument by position. */
  readonly flag?: string;
  readonly in: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly type: ParameterType;
  /** Whether the flag may be repeated, each time with one element. */
  readonly list?: true;
  /** Whether the text `null` is the value null. */
  readonly nullable?: true;
  /** The only texts that are accepted. */
  readonly choices?: readonly string[];
  /** Whether the value is read from a file or the terminal, because arguments are visible to other processes. */
  readonly secret?: true;
  /** Whether the value is the content of a file, whose path the flag names. */
  readonly file?: true;
  /** Whether the value is a point in time. */
  readonly time?: true;
  /** Whether the value is the id of a user. */
  readonly user?: true;
  readonly description: string;
}

/** An operation of the administrative API as a command: `stewardctl <group> <name>`. */
export interface OperationCommand {
  readonly operationId: string;
  /** The group of the command, in kebab case. */
  readonly group: string;
  /** The name within the group, in kebab case. */
  readonly name: string;
  /** How the client of `@steward/sdk` calls it. */
  readonly call: readonly [group: string, method: string];
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly CommandParameter[];
  readonly hasBody: boolean;
  /** Whether the answer is a stream of bytes. */
  readonly bytes?: true;
  /** Whether it is a change that the server makes once for each idempotency key. */
  readonly keyed?: true;
  /** Whether the server answers what it would do. */
  readonly planned?: true;
  readonly list?: ListTrait;
  /** The fields with one value: of a row in a list, else of the answer. */
  readonly columns: readonly string[];
  /** Whether the command asks before it is done. */
  readonly destructive?: true;
}

/** Where the rows of a list are, and how its next page is requested. */
export interface ListTrait {
  /** The field of the answer with the rows; empty if the answer itself is the array. */
  readonly items: string;
  /** The parameter that receives what the answer before has in `next`. */
  readonly cursor?: { readonly parameter: string; readonly next: string };
  /** Whether a request may say how many rows a page has. */
  readonly sized?: true;
  /** The fields that a table shows at first. */
  readonly narrow: readonly string[];
  /** The lists that a value of a parameter makes in its place. */
  readonly variants?: readonly ListVariantTrait[];
}

/** Where the rows are when a parameter has a value. */
export interface ListVariantTrait {
  readonly parameter: string;
  readonly value: string;
  readonly items: string;
  readonly columns: readonly string[];
  readonly narrow: readonly string[];
}

/** A group of commands. */
export interface CommandGroup {
  readonly name: string;
  readonly description: string;
}

/** The commands that are generated from the OpenAPI document. */
export interface CommandTable {
  readonly groups: readonly CommandGroup[];
  readonly commands: readonly OperationCommand[];
}
