/** An application with a zone per kind of credential, memory stores, and the headers of a caller whom a zone lets in. */
import type { FastifyInstance } from 'fastify'
import type { Build } from './build.ts'

export type Credential = 'session' | 'apikey' | 'jwt'

const PASSWORD = 'a password of a bench'

export async function securedApplication(
  build: Build,
  credential: Credential
): Promise<{ app: FastifyInstance; headers: Record<string, string> }> {
  const { default: svcDecorators } = build.decorators
  const { default: svcSecurity, hashPassword } = build.security
  const alice = { identifier: 'alice', roles: ['ROLE_MEMBER'], password: await hashPassword(PASSWORD) }
  const app = build.fastify.fastify()
  await app.register(svcSecurity, {
    areas: {
      session: { pattern: '^/session', authenticators: ['session'] },
      apikey: { pattern: '^/apikey', authenticators: ['apikey'] },
      jwt: { pattern: '^/jwt', authenticators: ['jwt'] }
    },
    session: {},
    jwt: { accessTtlS: 86_400, keySetJson: JSON.stringify({ keys: [build.securityHost.newStoredKey(0)] }) },
    parts: { users: { findByIdentifier: (name: string) => (name === alice.identifier ? alice : null) } }
  })
  await app.register(svcDecorators, { controllers: [controllerOf(build, credential)] })
  await app.ready()
  return { app, headers: await headersOf(app, credential, alice) }
}

function controllerOf({ decorators }: Build, credential: Credential) {
  const { controller, Get, IsGranted } = decorators
  @controller(`/${credential}`)
  class HelloController {
    @Get('/hello')
    @IsGranted('ROLE_MEMBER')
    hello(): unknown {
      return { hello: 'world' }
    }

    @Get('/denied')
    @IsGranted('ROLE_OWNER')
    denied(): unknown {
      return { hello: 'world' }
    }
  }
  return HelloController
}

async function headersOf(
  app: FastifyInstance,
  credential: Credential,
  alice: { identifier: string; roles: string[] }
): Promise<Record<string, string>> {
  if (credential === 'jwt') return { authorization: `Bearer ${(await app.tokens.issue(alice)).accessToken}` }
  if (credential === 'apikey') {
    const { token } = await app.tokens.apiKeys.create(alice.identifier, { name: 'bench' })
    return { authorization: `Bearer ${token}` }
  }
  const payload = { username: alice.identifier, password: PASSWORD }
  const { headers } = await app.inject({ method: 'POST', url: '/svc/security/api/auth/login', payload })
  const [cookie = ''] = String(headers['set-cookie']).split(';')
  return { cookie }
}
