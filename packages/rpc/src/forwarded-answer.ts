import type { DescMethodUnary, Message } from '@bufbuild/protobuf';
import { type ContextValues, createContextKey, createContextValues } from '@connectrpc/connect';

/** The form of the JSON that an answer becomes. */
export interface AnswerForm {
  /** The name of the field that is the whole body; empty when the message is. */
  readonly responseBody: string;
  /** Whether it is written as under the compatibility prefix. */
  readonly compat: boolean;
}

/** An answer as JSON text, in place of its message. */
export class WrittenAnswer {
  /** The HTTP status. */
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    this.status = status;
    this.body = body;
  }
}

/** Writes the answer of a method, which may leave fields out that have their defaults. */
export type WriteForwarded = (answer: Message) => Pick<WrittenAnswer, 'status' | 'body'>;

/** The writer of a method's answers in a form; `undefined` for a form that is not known here. */
export type ForwardedWriters = (method: DescMethodUnary, form: AnswerForm) => WriteForwarded | undefined;

const formKey = createContextKey<AnswerForm | undefined>(undefined, {
  description: 'the form in which the caller passes the answer on',
});

/**
 * The context values of a unary call whose caller only passes the answer on as JSON, and so reads a missing field as its
 * default. In the process the answer is then what the handler returned, and no message is made of it. Another process answers
 * with a `WrittenAnswer` if it can, otherwise with a message.
 */
export function forwardedAs(form: AnswerForm): ContextValues {
  return Object.freeze(createContextValues().set(formKey, form));
}

/** The form in which the caller passes the answer on, if it does. */
export function forwardedForm(hints: ContextValues | undefined): AnswerForm | undefined {
  return hints?.get(formKey);
}
