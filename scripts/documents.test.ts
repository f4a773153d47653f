import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './workspace.mjs';

const DOCUMENTS = globSync(
  ['*.md', 'docs/**/*.md', 'examples/**/*.md', 'deploy/**/*.md', 'packages/*/README.md'],
  { cwd: root, exclude: (name) => basename(String(name)) === 'node_modules' },
).map((path) => path.replaceAll('\\', '/'));

/** The front door is for a stranger with a minute. */
const README_LINES = 120;
const README_WORDS = 900;

/** The map for who changes something. */
const AGENTS_ROWS = 35;

/** The width of lines, in characters. */
const WIDTH = 140;
/** What cannot be broken: rows of tables, headings, definitions of links, and lines of one word or link. */
const UNBROKEN = /^\s*(?:\||#|\[[^\]]+\]:|(?:[-*+>]\s+|\d+\.\s+)?(?:\S+|!?\[[^\]]*\]\(\S+\)\S*)$)/;

/** Within so many characters a generated document says that it is one. */
const HEAD = 600;

const LINK = /\]\(([^)\s]+)\)/g;
const FENCED = /^```[\s\S]*?^```/gm;

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const prose = (path: string) => read(path).replace(FENCED, '');

const known = new Map<string, ReadonlySet<string>>();

/** The anchors of the headings of a document, as renderers of Markdown make them. */
function anchorsOf(path: string): ReadonlySet<string> {
  const anchors = known.get(path) ?? readAnchors(path);
  known.set(path, anchors);
  return anchors;
}

function readAnchors(path: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const declared = [...prose(path).matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id);
  const headings = [...prose(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
    const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
    const slug = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set([...declared, ...headings]);
}

/** The links of a document to files of the repository: the path, and the anchor if there is one. */
function linksOf(document: string) {
  return [...prose(document).matchAll(LINK)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor] = decodeURI(link).split('#');
      return { link, path: path === '' ? document : posix.join(dirname(document), path), anchor };
    });
}

it('every link between documents leads to a file and a heading that exist', () => {
  const broken = DOCUMENTS.flatMap((document) =>
    linksOf(document)
      .filter(
        ({ path, anchor }) =>
          !existsSync(join(root, path)) ||
          (anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).has(anchor)),
      )
      .map(({ link }) => `${document}: ${link}`),
  );
  expect(broken).toEqual([]);
});

it('the README has at most 120 lines and 900 words', () => {
  const text = read('README.md');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES);
  expect(text.split(/\s+/).length).toBeLessThanOrEqual(README_WORDS);
});

it.each(['docs', 'docs/decisions'])('%s/README.md leads to every page of its folder', (folder) => {
  const linked = new Set(linksOf(`${folder}/README.md`).map(({ path }) => path));
  const pages = DOCUMENTS.filter((path) => dirname(path) === folder && basename(path) !== 'README.md');
  expect(pages.filter((path) => !linked.has(path))).toEqual([]);
});

it('lines of documents have at most 140 characters, but for tables, links and code', () => {
  const written = DOCUMENTS.filter(
    (path) => !/^Generated from|This table is generated/m.test(read(path).slice(0, HEAD)),
  );
  const wide = written.flatMap((path) =>
    read(path)
      .replace(FENCED, (code) => code.replace(/.+/g, ''))
      .split('\n')
      .flatMap((line, i) => (line.length > WIDTH && !UNBROKEN.test(line) ? [`${path}:${i + 1}`] : [])),
  );
  expect(wide).toEqual([]);
});

it('the glossary has its words in alphabetical order, each once', () => {
  const terms = [...read('docs/glossary.md').matchAll(/^\| (?!Term|--)(.+?) \|/gm)].map(
    ([, term = '']) => term,
  );
  const words = terms.map((term) => term.replaceAll(/ \(`[^)]*\)/g, '').replaceAll('`', ''));
  expect(words.length).toBeGreaterThan(100);
  expect(words).toEqual(words.toSorted((one, other) => one.localeCompare(other, 'en')));
  const single = words.flatMap((word) => word.split(/, (?![^(]*\))/));
  expect(single.filter((word, i) => single.indexOf(word) !== i)).toEqual([]);
});

it('AGENTS.md has at most 35 rows, and every path that it names exists', () => {
  const text = read('AGENTS.md');
  expect([...text.matchAll(/^\| [a-z].*$/gm)].length).toBeLessThanOrEqual(AGENTS_ROWS);
  const paths = [...text.matchAll(/`([^` ]+\/[^` ]*)`/g)]
    .map(([, path = '']) => path.replaceAll(/<\w+>/g, '*').replace(/\/$/, ''))
    .filter((path) => existsSync(join(root, path.split('/')[0] ?? '')));
  expect(paths.length).toBeGreaterThan(AGENTS_ROWS);
  expect(paths.filter((path) => globSync(path, { cwd: root }).length === 0)).toEqual([]);
});

it('the console filters by the kinds of tasks that docs/tasks.md names', () => {
  const kindsIn = (text: string) =>
    [...text.matchAll(/['`](\w+\.\w+)['`]/g)].map(([, kind = '']) => kind).sort();
  const rows = [...read('docs/tasks.md').matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell]) => cell).join();
  expect(kindsIn(read('console/src/pages/tasks/task-kinds.ts'))).toEqual(kindsIn(rows));
});
