import { usageFailure } from '../io/exit.ts';
import type { CommandParameter } from './operation-command.ts';
import { readTime } from './read-time.ts';

const TRUTHS: Readonly<Record<string, boolean>> = { true: true, false: false };

/**
 * Returns the value that the text of a flag or argument stands for.
 *
 * @param label how messages name it
 * @param now in milliseconds since the Unix epoch
 * @throws CommandFailure if the text is none of the parameter's values
 */
export function readValue(text: string, parameter: CommandParameter, label: string, now: number): unknown {
  const { type, nullable, choices, time } = parameter;
  if (nullable && text === 'null') return null;
  if (time) return readTime(text, label, now);
  if (choices !== undefined && !choices.includes(text))
    throw usageFailure(`${label} is one of ${choices.join(', ')}, not ${text}`);
  switch (type) {
    case 'string':
      return text;
    case 'integer':
      return readNumber(text, label, /^-?\d+$/, 'a whole number');
    case 'number':
      return readNumber(text, label, /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i, 'a number');
    case 'boolean': {
      const truth = TRUTHS[text];
      if (truth === undefined) throw usageFailure(`${label} is true or false, not ${text}`);
      return truth;
    }
    case 'json':
      return parseJson(text, label);
    case 'any':
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
  }
}

/** Parses JSON from the command line or a file. The message says where it is none, without the text, which may have secrets. */
export function parseJson(text: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [reason] = String((error as Error).message).split(/, (?:\.\.\.)?"/);
    throw usageFailure(`${label} is not JSON: ${reason}`);
  }
}

function readNumber(text: string, label: string, form: RegExp, kind: string): number {
  const value = Number(text);
  if (!form.test(text) || !(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
    throw usageFailure(`${label} is ${kind}, not ${text}`);
  return value;
}
