import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DOCUMENTS, PAGE, PAGE_PATH, PAGE_SCRIPT } from './page.ts';
import { type OpenApiDocument, pageDocument } from './page-document.ts';

/** Generated from the descriptors, see `scripts/generate.mjs`. */
const DOCUMENT = new URL('../../../docs/openapi.json', import.meta.url);

/** The description of the events, generated as well. */
const EVENTS_DOCUMENT = new URL('../../../docs/asyncapi.json', import.meta.url);

/** The folder of Swagger UI. */
const ASSETS = new URL('.', import.meta.resolve('swagger-ui-dist/swagger-ui.css'));

/** The files of Swagger UI that the page needs, with their types. */
const ASSET_TYPES: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['index.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui-standalone-preset.js', 'text/javascript; charset=utf-8'],
]);

/** The page is also served without TLS, so it must not tell browsers to upgrade its requests. */
const PAGE_CSP =
  "default-src 'self'; base-uri 'self'; frame-ancestors 'self'; img-src 'self' data:; object-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'";

/**
 * Serves the API description, for programs at `/_service/openapi.json` and for humans at `/_service/docs`, and the description of
 * the events at `/_service/asyncapi.json`. Nothing is
 * read before it is requested, and files are streamed, so that the description costs a server little.
 */
export function serveDocumentation(app: FastifyInstance): void {
  app.get('/_service/openapi.json', (_, reply) =>
    send(reply, 'application/json', createReadStream(DOCUMENT)),
  );
  app.get('/_service/asyncapi.json', (_, reply) =>
    send(reply, 'application/json', createReadStream(EVENTS_DOCUMENT)),
  );
  const sendPage = (reply: FastifyReply) =>
    send(reply.header('content-security-policy', PAGE_CSP), 'text/html; charset=utf-8', PAGE);
  app.get(PAGE_PATH, (_, reply) => sendPage(reply));
  app.get(`${PAGE_PATH}/`, (_, reply) => sendPage(reply));
  app.get(`${PAGE_PATH}/page.js`, (_, reply) => send(reply, 'text/javascript; charset=utf-8', PAGE_SCRIPT));
  for (const [file, type] of ASSET_TYPES) {
    app.get(`${PAGE_PATH}/${file}`, (_, reply) => send(reply, type, createReadStream(new URL(file, ASSETS))));
  }
  for (const [file, { title, shows }] of DOCUMENTS) {
    let text: string | undefined;
    app.get(`${PAGE_PATH}/${file}`, async (_, reply) => {
      // Only what was read is kept: reading fails for a while when too many files are open.
      text ??= JSON.stringify(pageDocument(await readDocument(), title, shows));
      return send(reply, 'application/json', text);
    });
  }
}

async function readDocument(): Promise<OpenApiDocument> {
  return JSON.parse(await readFile(DOCUMENT, 'utf8'));
}

function send(reply: FastifyReply, type: string, content: unknown): FastifyReply {
  return reply.header('content-type', type).send(content);
}
