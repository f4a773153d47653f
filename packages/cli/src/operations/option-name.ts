/** Returns the name under which the parser keeps the value of a flag. */
export function optionName(flag: string): string {
  return flag.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
