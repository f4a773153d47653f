import { createRouter } from '@tanstack/react-router';
import { rootRoute } from '../pages/root-route.ts';
import { routes } from '../pages/routes.ts';
import { parseQuery, writeQuery } from './query-string.ts';
import { Shell } from './shell.tsx';
import { Crashed, NotFound } from './stray-pages.tsx';

/** The path below which the gateway serves the console. */
const BASE = '/_service/console';

/** Returns the router of the console. */
export function createConsoleRouter() {
  rootRoute.update({ component: Shell });
  return createRouter({
    routeTree: rootRoute.addChildren(routes),
    basepath: BASE,
    parseSearch: parseQuery,
    stringifySearch: writeQuery,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: Crashed,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
