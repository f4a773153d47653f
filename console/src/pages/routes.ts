import { accessRoutes } from './access/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { meRoutes } from './me/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { roomRoutes } from './rooms/routes.ts';
import { taskRoutes } from './tasks/routes.ts';
import { userRoutes } from './users/routes.ts';

/** The pages of the console. */
export const routes = [
  ...overviewRoutes,
  ...userRoutes,
  ...roomRoutes,
  ...reportRoutes,
  ...mediaRoutes,
  ...taskRoutes,
  ...auditRoutes,
  ...accessRoutes,
  ...meRoutes,
] as const;
