/** The measured application: a zone for each proof, everything in memory, one user. */

import type { KeyObject } from 'node:crypto'
import { createPublicKey } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import svcSecurity from 'svc-security'
import { newStoredKey } from 'svc-security/host'

export const USER = { identifier: 'alice', password: 'a password of a bench' }

export interface GuardedApp {
  readonly app: FastifyInstance
  readonly jwt: string
  readonly apikey: string
  readonly cookie: string
  readonly publicKey: KeyObject
}

export async function guarded(jwt: { readonly cacheSize?: number }): Promise<GuardedApp> {
  const app = Fastify({ logger: false })
  await app.register(svcSecurity, {
    areas: {
      session: { pattern: '^/session', authenticators: ['session'] },
      apikey: { pattern: '^/apikey', authenticators: ['apikey'] },
      jwt: { pattern: '^/(?:first-)?jwt', authenticators: ['jwt'] },
      basic: { pattern: '^/basic', authenticators: ['userpassword'] }
    },
    jwt: { ...jwt, accessTtlS: 86_400, keySetJson: JSON.stringify({ keys: [newStoredKey(0)] }) }
  })
  for (const path of ['/empty', '/session', '/apikey', '/jwt', '/first-jwt', '/basic']) app.get(path, () => 'ok')
  await app.ready()
  await app.userAccounts.create({ ...USER, roles: ['ROLE_USER'] })
  const login = await app.inject({
    method: 'POST',
    url: '/svc/security/api/auth/login',
    payload: { username: USER.identifier, password: USER.password }
  })
  const [cookie = ''] = String(login.headers['set-cookie']).split(';')
  const [key] = app.tokens.jwks().keys
  return {
    app,
    jwt: (await app.tokens.issue(USER)).accessToken,
    apikey: (await app.tokens.apiKeys.create(USER.identifier, { name: 'bench' })).token,
    cookie,
    publicKey: createPublicKey({ key: { ...key }, format: 'jwk' })
  }
}
