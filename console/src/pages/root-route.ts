import { createRootRoute } from '@tanstack/react-router';

/** The route above all pages. */
export const rootRoute = createRootRoute();
