/** State, rates and the level of the log on one application: closed, without secrets, each change audited. */
import Fastify from 'fastify'
import { type AuditPort, type AuditRecord, createAccessToken, ensureKernel } from 'svc-kernel'
import t, { type Test } from 'tap'
import svcOps, { type SvcOpsOptions } from '../../src/index.ts'

const API = '/svc/ops/api'
const headers = { 'x-admin': '1' }

async function app(t: Test, options: SvcOpsOptions = {}, logger = true) {
  const lines: string[] = []
  const fastify = Fastify({
    logger: logger && { level: 'warn', stream: { write: (line: string) => void lines.push(line) } }
  })
  t.teardown(() => fastify.close())
  const modules = [{ name: 'svc-kernel', options: { encryptionKey: 'hunter2', url: 'redis://:hunter2@h' } }]
  const host = { name: 'shop', root: process.cwd(), mode: 'test' as const, checkOnly: false, modules }
  fastify.decorate('appHost', { ...host, importModule: async () => ({}) })
  const records: AuditRecord[] = []
  fastify.decorate('audit', { record: (event) => void records.push(event) } as AuditPort)
  await ensureKernel(fastify)
  const csrf = { calls: 0 }
  fastify.decorate('gates', {
    csrf: (_request: unknown, _reply: unknown, payload: unknown, done: (error: null, payload: unknown) => void) => {
      csrf.calls += 1
      done(null, payload)
    }
  } as never)
  fastify.queueDepths.add('letters', () => 3)
  fastify.queueDepths.add('broken', () => {
    throw new Error('not connected')
  })
  await fastify.register(svcOps, options)
  fastify.accessGate.use({ allows: ({ user }) => user.roles.includes('ROLE_SVC_ADMIN') })
  fastify.addHook('onRequest', async (request) => {
    const roles = request.headers['x-admin'] === undefined ? [] : ['ROLE_SVC_ADMIN']
    request.token = createAccessToken({ type: 'session', user: { identifier: 'root', roles } })
    request.user = request.token.user
  })
  const put = (level: string) => fastify.inject({ method: 'PUT', url: `${API}/log-level`, headers, payload: { level } })
  return { fastify, lines, records, csrf, put }
}

t.test('closed to all but administrators', async (t) => {
  const { fastify, csrf } = await app(t)
  for (const path of ['/rates', '/system', '/history'])
    t.equal((await fastify.inject(API + path)).statusCode, 403, path)
  const plain = { method: 'PUT', url: `${API}/log-level`, payload: { level: 'debug' } } as const
  t.equal((await fastify.inject(plain)).statusCode, 403)
  t.equal(csrf.calls, 0, 'before its page is looked at')
  t.equal(fastify.log.level, 'warn')
})

t.test('the state: what runs, how it is, with which options, and no secret', async (t) => {
  const { fastify } = await app(t)
  fastify.ops.addCheck('away', () => Promise.reject(new Error('no route to hunter2')))
  fastify.ops.addCheck('there', () => undefined)
  const answer = await fastify.inject({ url: `${API}/system`, headers })
  t.equal(answer.headers['cache-control'], 'no-store')
  t.match(answer.json(), {
    name: 'shop',
    mode: 'test',
    versions: { node: process.versions.node, fastify: fastify.version },
    health: [
      { name: 'away', healthy: false },
      { name: 'there', healthy: true }
    ],
    queues: [{ name: 'letters', depth: 3 }],
    modules: [{ name: 'svc-kernel', version: /^\d/, options: { encryptionKey: '[set]', url: 'redis://***@h' } }],
    logLevel: 'warn'
  })
  t.ok(answer.json().memory.rss > 0)
  t.notMatch(answer.body, /hunter2/)
})

t.test('rates count what was answered', async (t) => {
  const { fastify } = await app(t)
  fastify.get('/broken', async () => {
    throw new Error('x')
  })
  await fastify.inject('/broken')
  await fastify.inject('/nowhere')
  const { total, minutes } = (await fastify.inject({ url: `${API}/rates`, headers })).json()
  t.match(total, { count: 2, failures: 1 })
  t.ok(total.p99 > 0 && minutes.length >= 1)
})

t.test('the history has what the state is made of', async (t) => {
  const { fastify } = await app(t)
  const answer = await fastify.inject({ url: `${API}/history`, headers })
  t.equal(answer.headers['cache-control'], 'no-store')
  const { samples } = answer.json()
  t.equal(samples.length, 1, 'the one under way')
  t.match(samples[0], { eventLoop: { p99Ms: Number, utilization: Number }, queues: [{ name: 'letters', depth: 3 }] })
  t.ok(samples[0].at > 0 && samples[0].memory.heapUsed > 0)
  t.equal((await fastify.inject({ url: `${API}/history?since=1`, headers })).statusCode, 400)
})

t.test('the level of the log holds from now on, for requests too, and is audited', async (t) => {
  const { fastify, lines, records, csrf, put } = await app(t)
  fastify.get('/said', async ({ log }) => {
    log.info('said')
    return 'ok'
  })
  await fastify.inject('/said')
  t.notMatch(lines.join(''), /"said"/)
  t.strictSame((await put('info')).json(), { level: 'info', before: 'warn' })
  t.equal(csrf.calls, 1)
  await fastify.inject('/said')
  t.match(lines.join(''), /"said"/)
  t.match(records, [
    {
      action: 'config.update',
      outcome: 'success',
      actor: 'root',
      resource: 'log.level',
      metadata: { key: 'log.level', before: 'warn', after: 'info' }
    }
  ])
  t.equal((await put('loud')).statusCode, 400)
  t.equal(records.length, 1)
})

t.test('a server without a logger says that there is no level', async (t) => {
  const { put, records } = await app(t, {}, false)
  t.match((await put('info')).json(), { statusCode: 409, code: 'SVC_OPS_LOG_LEVEL' })
  t.equal(records.length, 0)
})

t.test('it can be switched off', async (t) => {
  const { fastify } = await app(t, { system: { enabled: false } })
  t.equal((await fastify.inject({ url: `${API}/system`, headers })).statusCode, 404)
})
