import i18next, { type ResourceKey } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { LANGUAGES, type Language, preferredLanguage, storeLanguage } from './languages.ts';

/** One file for each language and part of the console, loaded when that part is opened. */
const FILES = import.meta.glob<{ readonly messages: ResourceKey }>('../messages/*/*.ts');

/** Loads the messages of a part of the console. */
const loader = {
  type: 'backend' as const,
  init: () => undefined,
  read(language: string, part: string, done: (error: unknown, messages: ResourceKey | null) => void) {
    const load = FILES[`../messages/${language}/${part}.ts`];
    if (!load) return done(new Error(`There are no messages ${language}/${part}`), null);
    load().then(
      ({ messages }) => done(null, messages),
      (error: unknown) => done(error, null),
    );
  },
};

/** Starts the translation of messages in the language of the user. */
export async function startTranslation(): Promise<void> {
  await i18next
    .use(loader)
    .use(initReactI18next)
    .init({
      lng: preferredLanguage(),
      supportedLngs: Object.keys(LANGUAGES),
      fallbackLng: 'en',
      ns: ['common'],
      defaultNS: 'common',
      // React escapes what it renders.
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  document.documentElement.lang = i18next.language;
}

/** Changes the language of the console, and keeps the choice. */
export async function changeLanguage(language: Language): Promise<void> {
  storeLanguage(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}
