/** Two guards: access tokens of the framework for API keys, and the guard for signed tokens. */
import { defineConfig } from '@adonisjs/auth'
import { tokensGuard } from '@adonisjs/auth/access_tokens'
import { TOKEN_SECRET } from '../../../../test/dist/bench/peers/accounts.js'
import { accessTokens } from '../app/access_tokens.js'
import { JwtGuard } from '../app/jwt_guard.js'

export default defineConfig({
  default: 'api',
  guards: {
    api: tokensGuard({ provider: accessTokens }),
    jwt: (ctx) => new JwtGuard(ctx, TOKEN_SECRET)
  }
})
