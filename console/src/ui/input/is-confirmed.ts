import { cleanText } from './clean-text.ts';

/** Whether what was typed is the text that confirms an order; any text, where none is asked for. */
export function isConfirmed(typed: string, text: string | undefined): boolean {
  return text === undefined || cleanText(typed) === cleanText(text);
}
