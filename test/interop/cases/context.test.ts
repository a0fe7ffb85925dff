/** Area `context`: the ambient identity holds wherever a request's code runs, and nowhere else. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { Body, controller, Get, Post } from 'svc-decorators'
import type { ModuleEntry } from 'svc-host'
import { currentRequest, currentToken, currentUser } from 'svc-kernel'
import svcSecurity from 'svc-security'
import type { Test } from 'tap'
import { logLines } from '../../support/log-lines.ts'
import { bearer, cookie, PlainCredential } from '../../support/plain-credential.ts'
import { portOf } from '../../support/ports.ts'
import { RawConnection, rawExchange, rawRequest } from '../../support/raw-http.ts'
import { RawWebSocket } from '../../support/raw-websocket.ts'
import { startApp } from '../../support/start-app.ts'
import { inRepository } from '../documentation/repository.ts'
import { tokenOf } from './jury-app.ts'
import { securityCase } from './security-case.ts'
import { TalkController } from './talk-controller.ts'

@controller('/note')
class Notes {
  @Get()
  read(): unknown {
    return { handler: currentUser().identifier }
  }

  @Post('', { schema: { body: { type: 'object', properties: { text: { type: 'string' } } } } })
  write(@Body() body: { text: string }): unknown {
    return { handler: currentUser().identifier, length: body.text.length }
  }
}

type Seen = Array<[phase: string, identifier: string]>

/** A module whose hooks note who is ambient in each phase of a request. */
function noting(seen: Seen): ModuleEntry {
  const note = (phase: string): void => void seen.push([phase, currentUser().identifier])
  return fp(async (fastify: FastifyInstance) => {
    fastify.addHook('preParsing', async () => note('preParsing'))
    fastify.addHook('preValidation', async () => note('preValidation'))
    fastify.addHook('preHandler', (_request, _reply, done) => {
      note('preHandler')
      done()
    })
    fastify.addHook('preSerialization', async () => note('preSerialization'))
    fastify.addHook('onError', async () => note('onError'))
    fastify.addHook('onSend', async () => note('onSend'))
    fastify.addHook('onResponse', async () => note('onResponse'))
  })
}

async function notedApp(t: Test, seen: Seen = [], more: readonly ModuleEntry[] = []) {
  return startApp(t, {
    security: {
      areas: { site: { pattern: '^/', authenticators: ['cookie', 'bearer', 'anonymous'] } },
      parts: { authenticators: { bearer: PlainCredential.bearer(), cookie: PlainCredential.cookie() } }
    },
    modules: [noting(seen), ...more],
    controllers: [Notes, TalkController]
  })
}

const JSON_BODY = { 'content-type': 'application/json' }

securityCase(
  'CTX-02',
  async (t) => {
    const sources = globSync('plugins/*/src/**/*.ts', { cwd: inRepository('.') })
    t.ok(sources.length > 50, `${sources.length} sources are read`)
    const calls = sources.filter((file) => /\.enterWith\s*\(/.test(readFileSync(inRepository(file), 'utf8')))
    t.strictSame(calls, [])
    const storage = new AsyncLocalStorage<string>()
    const hook = async (): Promise<void> => {
      await null
      storage.enterWith('alice')
    }
    await hook()
    t.equal(storage.getStore(), undefined, 'why: entered after an await, it is lost for the caller')
  },
  'the call appears in no source'
)

securityCase('CTX-03', async (t) => {
  const seen: Seen = []
  const { port } = await notedApp(t, seen)
  const body = JSON.stringify({ text: 'x'.repeat(200_000) })
  const request = rawRequest('POST', '/note', { ...JSON_BODY, ...bearer('alice') }, body)
  const middle = request.length - 100_000
  const answer = await rawExchange(port, request.slice(0, middle), request.slice(middle))
  t.same(JSON.parse(answer.body), { handler: 'alice', length: 200_000 })
  t.ok(seen.length >= 5 && seen.every(([, identifier]) => identifier === 'alice'), JSON.stringify(seen))
})

securityCase('CTX-04', async (t) => {
  const seen: string[] = []
  const fastify = createFastify() as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  fastify.setErrorHandler(async (error: Error & { code?: string }, _request, reply) => {
    seen.push(`${error.code} ${currentUser().identifier}`)
    return reply.code(400).send({ who: currentUser().identifier })
  })
  await fastify.register(svcSecurity, {
    areas: { site: { pattern: '^/', authenticators: ['bearer'] } },
    parts: { authenticators: { bearer: PlainCredential.bearer() } }
  })
  fastify.post('/note', { schema: { body: { type: 'object', required: ['text'] } } }, async () => 'never')
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  const headers = { ...JSON_BODY, ...bearer('alice') }
  for (const body of ['{"text":', '{}', '[]']) {
    const [first = '', rest = ''] = [rawRequest('POST', '/note', headers, body).slice(0, -1), body.slice(-1)]
    t.same(JSON.parse((await rawExchange(portOf(fastify.server), first, rest)).body), { who: 'alice' })
  }
  t.match(seen, [/^FST_ERR_CTP_INVALID_JSON_BODY alice$/, /^FST_ERR_VALIDATION alice$/, /^FST_ERR_VALIDATION alice$/])
})

securityCase('CTX-05', async (t) => {
  const seen: Seen = []
  const failing: ModuleEntry = async (fastify: FastifyInstance) => {
    fastify.get('/failing', async () => {
      throw new Error('no')
    })
  }
  const logging = fp(async (fastify: FastifyInstance) => {
    fastify.addHook('onRequest', async (request) => {
      request.log.info({ who: currentUser().identifier }, 'seen in the log')
    })
  })
  const { port, lines } = await notedApp(t, seen, [failing, logging])
  await rawExchange(port, rawRequest('GET', '/note', bearer('alice')))
  await rawExchange(port, rawRequest('GET', '/failing', bearer('alice')))
  const phases = new Set(seen.map(([phase]) => phase))
  for (const phase of ['preSerialization', 'onError', 'onSend', 'onResponse']) t.ok(phases.has(phase), phase)
  t.strictSame([...new Set(seen.map(([, identifier]) => identifier))], ['alice'])
  t.match(
    lines.filter(({ msg }) => msg === 'seen in the log'),
    [{ who: 'alice' }, { who: 'alice' }]
  )
})

securityCase('CTX-07', async (t) => {
  const { port } = await notedApp(t)
  const whole = (who: string) => ({ before: who, after: who, injected: who, request: who })
  const { socket: alice } = await RawWebSocket.open(t, port, '/talk/ways', bearer('alice'))
  const { socket: visitor } = await RawWebSocket.open(t, port, '/talk/ways')
  for (let message = 0; message < 20; message += 1) {
    alice.sendText('')
    visitor.sendText('')
    t.same(await alice.nextJson(), whole('alice'))
    t.same(await visitor.nextJson(), whole('anonymous'))
  }
})

securityCase('CTX-09', async (t) => {
  const seen: Seen = []
  const { port } = await notedApp(t, seen)
  const connection = await RawConnection.open(port)
  t.teardown(() => connection.close())
  const keep = { connection: 'keep-alive' }
  const users = [bearer('alice'), {}, cookie('bob'), bearer('carol'), {}]
  for (const [index, who] of ['alice', 'anonymous', 'bob', 'carol', 'anonymous'].entries()) {
    seen.length = 0
    const answer = await connection.exchange(rawRequest('GET', '/note', { ...keep, ...users[index] }))
    t.same(JSON.parse(answer.body), { handler: who })
    t.ok(seen.length >= 4 && seen.every(([, identifier]) => identifier === who), who)
  }
})

securityCase('CTX-10', async (t) => {
  const { fastify, port, records } = await notedApp(t)
  const outside = () => ({ request: currentRequest(), token: currentToken(), user: currentUser().identifier })
  const nobody = { request: undefined, token: null, user: 'anonymous' }
  t.strictSame(outside(), nobody)
  await rawExchange(port, rawRequest('GET', '/note', bearer('alice/ROLE_USER')))
  t.strictSame(outside(), nobody, 'a request leaves nothing behind')
  t.equal(await fastify.jury.decide(currentToken(), 'ROLE_USER'), false)
  t.match(records, [{ action: 'access.denied', actor: null, reason: 'no-identity' }])
})

securityCase(
  'CTX-11',
  async (t) => {
    const worker = new Worker(join(import.meta.dirname, 'deciding-worker.js'))
    t.teardown(() => worker.terminate())
    const token = tokenOf({ roles: ['ROLE_USER'] })
    const { type, user } = token
    worker.postMessage({ type, user })
    const [answer] = (await once(worker, 'message')) as [unknown]
    t.strictSame(answer, { ambient: 'anonymous', without: false, withData: true, withOther: false })
  },
  'nothing ambient crosses over; the data of a token, passed along, is decided on'
)

securityCase('CTX-12', async (t) => {
  const { logger } = logLines()
  const fastify = createFastify({ logger }) as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  t.throws(() => fastify.decorateRequest('shared', {} as never), { code: 'FST_ERR_DEC_REFERENCE_TYPE' })
  await fastify.register(svcSecurity, {
    areas: { site: { pattern: '^/in', authenticators: ['bearer'] } },
    parts: { authenticators: { bearer: PlainCredential.bearer() } }
  })
  const handler = async ({ user, token }: { user: unknown; token: unknown }) => ({ user, none: token === null })
  fastify.get('/in', handler)
  fastify.get('/out', handler)
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  const ask = async (target: string) =>
    JSON.parse((await rawExchange(portOf(fastify.server), rawRequest('GET', target, bearer('alice')))).body)
  t.match(await ask('/in'), { user: { identifier: 'alice' }, none: false })
  t.same(await ask('/out'), { user: null, none: true }, 'the next request starts from null')
})
