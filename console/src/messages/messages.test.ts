import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Messages = Readonly<Record<string, unknown>>;

const HERE = import.meta.dirname;
const SOURCES = join(HERE, '..');
const OTHERS = readdirSync(HERE).filter((name) => !name.includes('.') && name !== 'en');
/** The messages whose keys are names that the server sends; their types say which these are. */
const NAMED_BY_SERVER = ['actions', 'events'];
const PARTS = readdirSync(join(HERE, 'en')).map((file) => file.replace(/\.ts$/, ''));

async function read(language: string, part: string): Promise<ReadonlyMap<string, string>> {
  const { messages } = (await import(`./${language}/${part}.ts`)) as { readonly messages: Messages };
  return new Map(flatten(messages, ''));
}

function flatten(messages: Messages, prefix: string): [string, string][] {
  return Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flatten(value as Messages, `${prefix}${key}.`),
  );
}

const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

describe.each(PARTS)('the messages of %s', (part) => {
  it.each(OTHERS)('messages are complete in %s, with the same placeholders', async (language) => {
    const english = await read('en', part);
    const translated = await read(language, part);
    expect([...translated.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [key, text] of translated) {
      expect({ key, text: text.trim() }).not.toEqual({ key, text: '' });
      // The singular may spell its number out.
      if (!key.endsWith('_one')) {
        expect({ key, names: placeholders(text) }).toEqual({
          key,
          names: placeholders(english.get(key) ?? ''),
        });
      }
    }
  });

  it.runIf(!NAMED_BY_SERVER.includes(part))('messages are all used', async () => {
    const sources = sourceTexts();
    const unused = [...(await read('en', part)).keys()].filter((key) => {
      const plain = key.replace(/_(?:zero|one|two|few|many|other)$/, '');
      // A key that a program composes begins as the template does.
      const beginnings = [...plain.matchAll(/[._]/g)].map(({ index }) => `\`${plain.slice(0, index + 1)}\${`);
      const inPart = beginnings.map((beginning) => beginning.replace('`', `\`${part}:`));
      return ![`'${plain}'`, `:${plain}'`, ...beginnings, ...inPart].some((text) => sources.includes(text));
    });
    expect(unused).toEqual([]);
  });
});

let texts: string | undefined;

/** The text of all sources that are not messages. */
function sourceTexts(): string {
  texts ??= readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('messages'))
    .map((path) => readFileSync(join(SOURCES, path), 'utf8'))
    .join('\n');
  return texts;
}
