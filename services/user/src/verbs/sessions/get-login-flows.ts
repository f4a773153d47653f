import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetLoginFlowsResponseSchema } from '@steward/proto/steward/user/v1/sessions_pb.ts';
import type { Deps } from '../../core/deps.ts';
import { PASSWORD_STAGE } from '../../core/model/proof-stages.ts';
import { TOKEN_LOGIN } from './login.ts';

/** Returns the login flows (client-plane.md 7.2). */
export function getLoginFlows({
  settings,
  identityProviders,
}: Deps): MessageInitShape<typeof GetLoginFlowsResponseSchema> {
  const providers = identityProviders.all.map(({ settings: { id, name } }) => ({ id, name }));
  return {
    flows: [
      ...(settings.passwordLogin ? [{ type: PASSWORD_STAGE }] : []),
      ...(providers.length > 0 && !settings.tokensDelegated
        ? [{ type: 'm.login.sso', identityProviders: providers }, { type: TOKEN_LOGIN }]
        : []),
    ],
  };
}
