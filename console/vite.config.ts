import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Below this path the gateway serves the console. */
const BASE = '/_service/console/';

/**
 * The server that `npx vite` passes the API's requests on to, with their own host: it accepts its cookie from pages of the origin
 * that the request names.
 */
const SERVER = { target: 'http://127.0.0.1:8008', changeOrigin: false };

export default defineConfig({
  base: BASE,
  plugins: [react()],
  // The gateway replaces the placeholder by a nonce of its own for each answer.
  html: { cspNonce: '__NONCE__' },
  worker: { format: 'es' },
  build: {
    // Data URLs would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: 'es2022',
  },
  server: { proxy: { '/_service/admin': SERVER, '/_proto': SERVER } },
});
