import { readFile } from 'node:fs/promises';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

/** Generated from the descriptors, see `scripts/generate.mjs`. */
const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url);

/** The page is also served without TLS, so it must not tell browsers to upgrade its requests. */
const PAGE_CSP =
  "default-src 'self'; base-uri 'self'; font-src 'self' https: data:; frame-ancestors 'self'; img-src 'self' data:; object-src 'none'; script-src 'self'; style-src 'self' https: 'unsafe-inline'";

/** Serves the API description, for programs at `/_service/openapi.json` and for humans at `/_service/docs`. */
export async function serveDocumentation(app: FastifyInstance): Promise<void> {
  const text = await readFile(DOCUMENT, 'utf8');
  app.get('/_service/openapi.json', (_, reply) =>
    reply.header('content-type', 'application/json').send(text),
  );
  await app.register(swagger, { mode: 'static', specification: { document: JSON.parse(text) } });
  await app.register(swaggerUi, { routePrefix: '/_service/docs', staticCSP: PAGE_CSP });
}
