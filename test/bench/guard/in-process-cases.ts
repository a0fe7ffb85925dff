/**
 * What is measured without sockets: the same small application of each build, and one request of it. A case opens its
 * application, and `run` sends as many requests one after another, each of which has to be answered as expected.
 */
import type { FastifyInstance, InjectOptions } from 'fastify'
import { articleSchema } from '../http/article-schema.ts'
import type { Build } from './build.ts'
import { listing, sockets, webhooks } from './in-process-features.ts'
import type { OpenCase } from './open-case.ts'
import { type Credential, securedApplication } from './secured-application.ts'

export interface InProcessCase {
  readonly name: string
  open(build: Build): Promise<OpenCase>
}

export const CASES: readonly InProcessCase[] = [
  { name: 'minimal', open: minimal },
  zone('session', '/session/hello', 200),
  zone('apikey', '/apikey/hello', 200),
  zone('jwt', '/jwt/hello', 200),
  zone('apikey', '/apikey/denied', 403),
  { name: 'login', open: login },
  { name: 'POST with schema', open: post },
  { name: 'crud list', open: async (build) => requests(await listing(build), { url: '/api/articles?limit=5' }, 200) },
  { name: 'WebSocket message', open: sockets },
  { name: 'webhook emit', open: webhooks }
]

async function minimal({ fastify, decorators }: Build): Promise<OpenCase> {
  const { default: svcDecorators, controller, Get } = decorators
  @controller('/api')
  class HelloController {
    @Get('/hello')
    hello(): unknown {
      return { hello: 'world' }
    }
  }
  const app = fastify.fastify()
  await app.register(svcDecorators, { controllers: [HelloController] })
  return requests(app, { url: '/api/hello' }, 200)
}

async function post({ fastify, decorators }: Build): Promise<OpenCase> {
  const { default: svcDecorators, controller, Post, Body } = decorators
  @controller('/api')
  class ArticlesController {
    @Post('/articles', { schema: articleSchema })
    create(@Body() article: unknown): unknown {
      return article
    }
  }
  const app = fastify.fastify()
  await app.register(svcDecorators, { controllers: [ArticlesController] })
  const payload = { title: 'A title', body: 'A body of some length, as articles have.' }
  return requests(app, { method: 'POST', url: '/api/articles', payload }, 200)
}

/** By a hash of the least cost that an application may have. */
async function login({ fastify, security }: Build): Promise<OpenCase> {
  const { default: svcSecurity, hashPassword } = security
  const payload = { username: 'alice', password: 'a password of a bench' }
  const passwords = { memoryKib: 7168, passes: 1, parallelism: 1 }
  const password = await hashPassword(payload.password, passwords)
  const alice = { identifier: 'alice', roles: ['ROLE_MEMBER'], password }
  const app = fastify.fastify()
  await app.register(svcSecurity, {
    areas: { session: { pattern: '^/session', authenticators: ['session'] } },
    passwords,
    parts: { users: { findByIdentifier: (name: string) => (name === alice.identifier ? alice : null) } }
  })
  return { ...requests(app, { method: 'POST', url: '/svc/security/api/auth/login', payload }, 200), batch: 5 }
}

function zone(credential: Credential, url: string, status: number): InProcessCase {
  return {
    name: status === 403 ? 'denied' : `${credential} zone`,
    open: async (build) => {
      const { app, headers } = await securedApplication(build, credential)
      return requests(app, { url, headers }, status)
    }
  }
}

function requests(app: FastifyInstance, request: InjectOptions, status: number): OpenCase {
  return {
    async run(count) {
      for (let sent = 0; sent < count; sent += 1) {
        const { statusCode, body } = await app.inject(request)
        if (statusCode !== status) throw new Error(`expected ${status}, got ${statusCode}: ${body}`)
      }
    },
    close: async () => await app.close()
  }
}
