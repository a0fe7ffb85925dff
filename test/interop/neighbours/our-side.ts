/** Our side of a shared server: accounts, a session zone, controllers on both transports, and what must hold of them. */
import type { FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcDecorators, { Body, type ControllerClass, controller, Get, IsGranted, Post, WebSocket } from 'svc-decorators'
import { currentUser } from 'svc-kernel'
import svcOpenapi from 'svc-openapi'
import svcSecurity from 'svc-security'
import type { Test } from 'tap'
import { AccountBook, API, CHEAP, KEY_SET } from '../../support/account-app.ts'
import { portOf } from '../../support/ports.ts'
import { rawExchange, rawRequest, rawUpgrade } from '../../support/raw-http.ts'
import type { Caller } from './caller.ts'

const NOTE = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string', maxLength: 20 } }
} as const

/** @param body describes what is written, in whatever the server compiles schemas with */
function desk(body: unknown): ControllerClass {
  @controller('/in')
  class Desk {
    @Get('/who')
    @IsGranted('ROLE_USER')
    who(): unknown {
      return { who: currentUser().identifier }
    }

    @Post('/notes', { schema: { body } })
    @IsGranted('ROLE_USER')
    write(@Body() { text }: { text: string }): unknown {
      return { text, by: currentUser().identifier }
    }

    @Post('/vault', { schema: { body } })
    @IsGranted('ROLE_ADMIN')
    open(): unknown {
      return 'gold'
    }

    @Get('/broken')
    @IsGranted('ROLE_USER')
    fail(): unknown {
      throw new Error('the cellar is flooded')
    }

    @WebSocket('/talk')
    @IsGranted('ROLE_USER')
    talk(): unknown {
      return { hello: currentUser().identifier }
    }
  }
  return Desk
}

const users = new AccountBook()
const ready = users.add('alice')

/** The plugins of a usual application, without its routes. @param security further options of svc-security */
export async function registerOurs(fastify: FastifyInstance, security: object = {}): Promise<void> {
  await ready
  await fastify.register(svcAudit)
  await fastify.register(svcSecurity, {
    areas: {
      in: { pattern: '^/in', authenticators: ['session'] },
      keys: { pattern: '^/keys', authenticators: ['jwt'] }
    },
    jwt: KEY_SET,
    passwords: CHEAP,
    ...security,
    parts: { users }
  })
  await fastify.register(svcOpenapi)
}

/** Registered last, as the guides say. */
export async function registerControllers(fastify: FastifyInstance, body: unknown = NOTE): Promise<void> {
  await fastify.register(svcDecorators, { controllers: [desk(body)] })
}

/** Spellings of `/in/who` and of what is below `/in`: none may be answered to a caller without proof. */
const SPELLINGS = ['/in/who', '/in/who/', '//in/who', '/in//who', '/./in/who', '/x/../in/who', '/%69n/who', '/in%2fwho']

export async function oursHolds(t: Test, fastify: FastifyInstance, stranger: Caller, alice: Caller): Promise<void> {
  const port = portOf(fastify.server)
  await t.test('a stranger is refused', async (t) => {
    const refused = await stranger.ask('/in/who')
    t.match(refused.json(), { statusCode: 401, error: 'Unauthorized', code: 'SVC_SEC_UNAUTHENTICATED' })
    t.match(refused.headers.get('cache-control'), /no-store/)
    for (const target of SPELLINGS) {
      const { status, text } = await rawExchange(port, rawRequest('GET', target))
      t.ok([401, 403, 404].includes(status), `${target}: ${text}`)
    }
    t.equal((await rawExchange(port, rawUpgrade('/in/talk'))).status, 401)
    const reserved = new Set(['/in/who', '/in/notes', '/in/vault', '/in/broken', '/in/talk'])
    for (const { url, options } of fastify.declaredRoutes) {
      const [method = 'GET'] = [options.method].flat()
      if (!url.startsWith('/in/') || reserved.has(url) || method === 'OPTIONS') continue
      const { status, text } = await rawExchange(port, rawRequest(method, url))
      t.ok(status === 401 || status === 503, `${method} ${url}: ${text}`)
    }
  })

  await t.test('a user gets as far as the guards let', async (t) => {
    t.strictSame((await alice.ask('/in/who')).json(), { who: 'alice' })
    const written = await alice.ask('/in/notes', { body: { text: 'milk' } })
    t.strictSame(written.json(), { text: 'milk', by: 'alice' }, 'the ambient user outlasts the body')
    t.match((await alice.ask('/in/notes', { body: { text: 'x'.repeat(21) } })).json(), {
      code: 'SVC_HTTP_VALIDATION',
      details: [{ path: '/text' }]
    })
    t.strictSame(await alice.talk('/in/talk', 'hi'), { hello: 'alice' })
    const guarded = { body: '{ broken', headers: { 'content-type': 'application/json' } }
    t.match((await alice.ask('/in/vault', guarded)).json(), { statusCode: 403, code: 'SVC_SEC_DENIED' })
    const unproven = await alice.ask('/in/notes', { body: { text: 'milk' }, headers: { 'x-csrf-token': 'guess' } })
    t.match(unproven.json(), { statusCode: 403, code: 'SVC_SEC_CSRF' })
    t.match((await alice.ask('/in/broken')).json(), { statusCode: 500, code: 'SVC_HTTP_INTERNAL' })
  })

  await t.test('a form logs nobody in', async (t) => {
    const body = 'username=alice&password=a%3Ab%3Ac'
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const own = await stranger.ask(`${API}/auth/login`, { body, headers: form })
    t.equal(own.status, 415, own.text)
    const foreign = await stranger.ask(`${API}/auth/login`, {
      body,
      headers: { ...form, origin: 'https://evil.example' }
    })
    t.match(foreign.json(), { statusCode: 403, code: 'SVC_SEC_CROSS_SITE' })
  })

  await t.test('the journal and the description know', async (t) => {
    const actions = fastify.audit.recent(500).map(({ action }) => action)
    for (const action of ['login.success', 'auth.denied', 'access.denied']) t.ok(actions.includes(action), action)
    t.ok('/in/vault' in (fastify.swagger() as { paths: object }).paths)
  })
}
