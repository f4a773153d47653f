import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The baseline of the media benches: a server that only streams a file from the disk and to the disk. */
const { STEWARD_DATA = '', STEWARD_PORT } = process.env;

let uploads = 0;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    await pipeline(request, createWriteStream(join(STEWARD_DATA, `upload-${uploads++}`)));
    response.end('{}');
    return;
  }
  const path = join(STEWARD_DATA, request.url === '/health' ? '' : 'file');
  const { size } = await stat(path);
  if (request.url === '/health') response.end('{}');
  else await pipeline(createReadStream(path), response.writeHead(200, { 'content-length': size }));
}

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.destroy(error as Error));
}).listen(Number(STEWARD_PORT), '127.0.0.1');

process.on('SIGTERM', () => process.exit(0));
