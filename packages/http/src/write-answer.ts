import type { DescMessage, Message } from '@bufbuild/protobuf';
import type { MethodRules } from '@steward/rpc';
import { StartupError } from '@steward/rpc';
import { checkAnswer } from './check-answer.ts';
import type { Profile } from './profile.ts';
import type { Fields } from './step.ts';
import { wireFields } from './wire-field.ts';
import type { Writers } from './write-message.ts';

/** A successful answer, ready to be sent. */
export interface Answer {
  /** The HTTP status. */
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/** Writes the answer of a method: its message, or a plain object with some of its fields. */
export type WriteAnswer = (message: Message, profile: Profile) => Answer;

const OK_STATUS = 200;
const CREATED_STATUS = 201;
/** The shapes that can be a whole response body. */
const WHOLE_BODIES: ReadonlySet<string> = new Set(['list', 'map', 'json']);

/**
 * Compiles the writer of a method's answers.
 *
 * @param responseBody the field that is the whole response body; empty when the message is
 * @param writers of each dialect
 * @throws StartupError for a field that cannot be written
 */
export function compileAnswer(
  message: DescMessage,
  responseBody: string,
  rules: MethodRules,
  writers: Readonly<Record<Profile, Writers>>,
): WriteAnswer {
  const created = wireFields(message).find((field) => field.rules.created);
  checkAnswer(message);
  if (created && rules.compatStatus !== OK_STATUS)
    throw new StartupError(`compat_status contradicts created in ${message}`);
  const write = {
    native: compileBody(message, responseBody, writers.native),
    compat: compileBody(message, responseBody, writers.compat),
  };
  return (answer, profile) => {
    const fields = answer as unknown as Fields;
    const usual = profile === 'compat' ? rules.compatStatus : OK_STATUS;
    const status = created && fields[created.localName] === true ? CREATED_STATUS : usual;
    return { status, body: write[profile](fields) };
  };
}

function compileBody(
  message: DescMessage,
  responseBody: string,
  writers: Writers,
): (fields: Fields) => string {
  if (responseBody === '') return writers({ kind: 'message', message });
  const field = wireFields(message).find(({ name }) => name === responseBody);
  if (!field)
    throw new StartupError(`response_body names '${responseBody}', which is not a field of ${message}`);
  const { localName, shape, hasPresence } = field;
  if (hasPresence || !WHOLE_BODIES.has(shape.kind))
    throw new StartupError(`response_body names '${responseBody}', which is not a list, map or JSON text`);
  const write = writers(shape);
  const missing = shape.kind === 'list' ? [] : shape.kind === 'map' ? {} : '';
  return (fields) => write(fields[localName] ?? missing);
}
