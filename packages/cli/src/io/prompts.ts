/** One of the answers of a question. */
export interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/**
 * Questions on the terminal, written to the standard error so that the output stays clean.
 *
 * @throws Interrupted when the question is left with Ctrl-C
 */
export interface Prompts {
  /** Asks whether to go on; no is the default. */
  confirm(question: string): Promise<boolean>;
  text(question: string, options?: { readonly initial?: string }): Promise<string>;
  /** Asks for a secret, which is not shown. */
  secret(question: string): Promise<string>;
  select<Value>(question: string, choices: readonly Choice<Value>[]): Promise<Value>;
}
