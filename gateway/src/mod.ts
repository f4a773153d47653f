/** The JSON gateway in front of the services. */

export { listen } from './listen.ts';
export type { GatewayOptions } from './options.ts';
export { createGateway } from './server.ts';
export { services } from './services.ts';
