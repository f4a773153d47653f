import type { DescService } from '@bufbuild/protobuf';
import type { ConnectRouter, Interceptor, ServiceImpl } from '@connectrpc/connect';

/** The implementation of one service, independent of the transport that serves it. */
export interface Route {
  readonly service: DescService;
  /** Adds the service to a router, behind the given interceptors. */
  readonly register: (router: ConnectRouter, interceptors: Interceptor[]) => ConnectRouter;
  readonly implementation: Partial<ServiceImpl<DescService>>;
}

/** Pairs a service with its implementation. */
export function route<Desc extends DescService>(service: Desc, implementation: ServiceImpl<Desc>): Route {
  return {
    service,
    register: (router, interceptors) => router.service(service, implementation, { interceptors }),
    implementation: implementation as unknown as Partial<ServiceImpl<DescService>>,
  };
}
