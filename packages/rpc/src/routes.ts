import type { DescService } from '@bufbuild/protobuf';
import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect';

/** How a router serves the methods of one service: the interceptors, the gate, the size limits. */
export type RouteOptions = NonNullable<Parameters<ConnectRouter['service']>[2]>;

/** The implementation of one service, independent of the transport that serves it. */
export interface Route {
  readonly service: DescService;
  /** Adds the service to a router. */
  readonly register: (router: ConnectRouter, options: RouteOptions) => ConnectRouter;
  readonly implementation: Partial<ServiceImpl<DescService>>;
}

/** Pairs a service with its implementation. */
export function route<Desc extends DescService>(service: Desc, implementation: ServiceImpl<Desc>): Route {
  return {
    service,
    register: (router, options) => router.service(service, implementation, options),
    implementation: implementation as unknown as Partial<ServiceImpl<DescService>>,
  };
}
