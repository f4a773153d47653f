/**
 * Returns by which locale dates, times and numbers are written in a language: the one of the browser in this language, else the language
 * in the region of the browser. English in London is not written as in New York.
 *
 * @param preferred the languages of the browser, the preferred one first
 */
export function localeOf(language: string, preferred: readonly string[]): string {
  const locales = preferred.flatMap(read);
  const own = locales.find((locale) => locale.language === language);
  if (own !== undefined) return own.toString();
  const [region] = locales.flatMap((locale) => locale.maximize().region ?? []);
  return region === undefined ? language : `${language}-${region}`;
}

/** Browsers take languages from their system, which may have names for them that are not tags. */
function read(tag: string): Intl.Locale[] {
  try {
    return [new Intl.Locale(tag)];
  } catch {
    return [];
  }
}
