import { afterAll, beforeAll, describe } from 'vitest';
import { GatewayAlone } from './gateway-alone.ts';

/** The cases of a chapter that the gateway decides by itself, independent of the services behind it. */
export function gatewayChapter(
  title: string,
  cases: (gateway: GatewayAlone) => void,
  config: Readonly<Record<string, unknown>> = {},
): void {
  describe(title, () => {
    const gateway = new GatewayAlone(config);
    beforeAll(() => gateway.start());
    afterAll(() => gateway.close());
    cases(gateway);
  });
}
