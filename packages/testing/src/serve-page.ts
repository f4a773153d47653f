import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rolldown } from 'rolldown';

/** The type and the content of a file. */
export type ServedFile = readonly [type: string, content: string | Buffer];

/** A page that runs a program. */
export interface ServedPage {
  /** An address that a browser trusts, so that the page may encrypt. */
  readonly url: string;
  close(): void;
}

/** What a page consists of. */
export interface PageParts {
  /** The module that is its program, with all that it imports. */
  readonly program: string;
  /** What it loads itself, by path. */
  readonly files: Readonly<Record<string, ServedFile>>;
  /** What its document contains before the program. */
  readonly body?: string;
  /** What it imports although its files have that as well. */
  readonly without?: string;
}

/** Serves a page of a test. */
export async function servePage({ program, files, body = '', without }: PageParts): Promise<ServedPage> {
  const empty = {
    name: 'without',
    resolveId: (id: string) => (id === without ? '\0empty' : null),
    load: (id: string) => (id === '\0empty' ? '' : null),
  };
  const bundle = await rolldown({ input: program, platform: 'browser', plugins: [empty] });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  const all: typeof files = {
    '/': ['text/html', `<!doctype html>${body}<script type="module" src="/page.js"></script>`],
    '/page.js': ['text/javascript', output[0].code],
    ...files,
  };
  const server = createServer(({ url = '' }, response) => {
    const [type, content] = all[url.replace(/\?.*$/, '')] ?? ['text/plain', ''];
    response.setHeader('content-type', type);
    response.end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
