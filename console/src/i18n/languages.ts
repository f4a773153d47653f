/** The languages of the console, by their tags, each in its own words. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;

/** The tag of a language of the console. */
export type Language = keyof typeof LANGUAGES;

const STORED = 'steward.language';

/** The language that the user chose, else the first one of the browser that the console has. */
export function preferredLanguage(): Language {
  const chosen = [localStorage.getItem(STORED), ...navigator.languages].map((tag) => tag?.split('-')[0]);
  return chosen.find((tag): tag is Language => tag !== undefined && tag in LANGUAGES) ?? 'en';
}

/** Keeps the choice of the user. */
export function storeLanguage(language: Language): void {
  localStorage.setItem(STORED, language);
}
