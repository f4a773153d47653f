import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic, { type SendOptions } from '@fastify/static';
import type { Random } from '@steward/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_PATH } from './console-path.ts';
import { FILE_HEADERS, pageHeaders } from './policy.ts';

/** Where `scripts/build-console.mjs` leaves the console. */
const BUILT = fileURLToPath(new URL('../../../console/dist', import.meta.url));

const PAGE = 'index.html';
/** Stands in the page for the nonce, see `console/vite.config.ts`. */
const NONCE = /__NONCE__/g;
const NONCE_BYTES = 16;
const HTML = 'text/html; charset=utf-8';

/** The files whose names contain a digest of their content. */
const ASSETS = 'assets/';
/** The name of a file; the length is that of all file systems. No such name leads out of its folder. */
const NAME = /^(?=.{1,200}$)[\w-]+(?:\.[\w-]+)+$/;

/** A changed asset has another name. */
const FOREVER: SendOptions = { immutable: true, maxAge: '365d' };
const REVALIDATED: SendOptions = { cacheControl: false };

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>steward</title>
  </head>
  <body>
    <h1>The console is not built</h1>
    <p>The API of this server works. <code>npm run setup</code>, in the folder of the server, builds the console, or says why it cannot be built.</p>
  </body>
</html>
`;

/**
 * Serves the console: its files, and its page at all other paths below its own, which the page interprets itself. Files are read
 * when they are requested, so that a build takes effect without a restart.
 *
 * @param folder what the build wrote
 * @returns whether the console is built
 */
export function serveConsole(app: FastifyInstance, random: Random, folder = BUILT): () => Promise<boolean> {
  // Files are small: no part of one is worth a request.
  app.register(fastifyStatic, { serve: false, preCompressed: true, acceptRanges: false, index: false });
  const page = join(folder, PAGE);
  const sendPage = async (_: FastifyRequest, reply: FastifyReply) => {
    const nonce = random.bytes(NONCE_BYTES).toString('base64');
    reply.headers(pageHeaders(nonce)).headers({ 'cache-control': 'no-store', 'content-type': HTML });
    const text = await readIfAny(page);
    return text === undefined ? reply.code(503).send(NOT_BUILT) : reply.send(text.replaceAll(NONCE, nonce));
  };
  app.get(CONSOLE_PATH, sendPage);
  app.get(`${CONSOLE_PATH}/*`, (request, reply) => {
    const { '*': path } = request.params as { '*': string };
    if (path.startsWith(ASSETS)) return sendFile(reply, folder, path, path.slice(ASSETS.length), FOREVER);
    if (NAME.test(path) && path !== PAGE) return sendFile(reply, folder, path, path, REVALIDATED);
    return sendPage(request, reply);
  });
  return () =>
    access(page).then(
      () => true,
      () => false,
    );
}

function sendFile(reply: FastifyReply, folder: string, path: string, name: string, options: SendOptions) {
  if (!NAME.test(name)) return reply.callNotFound();
  const { headers } = reply.request.raw;
  // Preconditions of changes; a file that does not meet them would be refused in another form than all refusals.
  delete headers['if-match'];
  delete headers['if-unmodified-since'];
  // Replaced by `options` for an asset.
  reply.headers(FILE_HEADERS).header('cache-control', 'no-cache');
  // The listeners of the pipeline, the stream and the plugin are about as many as Node takes for a leak.
  reply.raw.setMaxListeners(0);
  return reply.sendFile(path, folder, options);
}

/** @returns `undefined` if there is no such file */
async function readIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
