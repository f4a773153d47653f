import { refuse } from '@steward/errors';

/** @throws refuse.invalidParam for a name without a visible character */
export function passkeyName(text: string): string {
  const name = text.trim();
  if (name === '') throw refuse.invalidParam("'name' must not be empty");
  return name;
}
