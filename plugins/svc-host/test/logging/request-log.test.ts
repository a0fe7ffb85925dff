/** What requests leave in the log: one line, and nothing in it that a caller may want to keep to itself. */
import t, { type Test } from 'tap'
import { application } from '../../src/application/application.ts'
import type { ServerConfig, SvcConfig } from '../../src/config/define-config.ts'
import { DevLog } from '../../src/logging/dev-log.ts'
import { createServer } from '../../src/server/http.ts'

type Line = Readonly<Record<string, unknown>>

async function app(t: Test, server: ServerConfig = {}, mode: SvcConfig['mode'] = 'production') {
  const lines: Line[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line) as Line) }
  const config: SvcConfig = {
    mode,
    server: { logger: { level: 'info', stream }, ...server },
    modules: [
      async function routes(fastify: import('fastify').FastifyInstance) {
        fastify.get('/users/:name', async () => ({ ok: true }))
        fastify.get('/fails', async () => {
          throw new Error('broken')
        })
        fastify.get('/refuses', async () => {
          throw Object.assign(new Error('no'), { statusCode: 409 })
        })
        fastify.get<{ Querystring: { down?: string } }>(
          '/well',
          { config: { requestLog: 'failures' } },
          async ({ query }, reply) => reply.code(query.down === undefined ? 200 : 503).send({})
        )
      }
    ]
  }
  const fastify = await createServer(application(config, import.meta.url))
  t.teardown(() => fastify.close())
  return { fastify, lines }
}

t.test('an answer is one line: no path, no query, no address', async (t) => {
  const { fastify, lines } = await app(t)
  await fastify.inject({
    url: '/users/alice-secret?token=hunter2&q=mine',
    headers: { authorization: 'Bearer hunter2' }
  })
  t.equal(lines.length, 1)
  const { level, time, pid, hostname, reqId, responseTime, ...rest } = lines[0] as Line
  t.match({ level, time, reqId, responseTime }, { level: 30, time: Number, reqId: /^req-/, responseTime: Number })
  t.strictSame(rest, { msg: 'request completed', method: 'GET', route: '/users/:name', statusCode: 200 })
  t.notMatch(JSON.stringify(lines), /hunter2|mine|alice|127\.0\.0\.1/)
})

t.test('nor has a request without a route, or one that is refused, more', async (t) => {
  const { fastify, lines } = await app(t)
  await fastify.inject('/nothing/hunter2?token=hunter2')
  await fastify.inject('/refuses')
  t.match(lines, [
    { msg: 'request completed', route: null, statusCode: 404 },
    { msg: 'request completed', route: '/refuses', statusCode: 409 }
  ])
  t.equal(lines.length, 2)
  t.notMatch(JSON.stringify(lines), /hunter2/)
})

t.test('a failure keeps its own line, with the error', async (t) => {
  const { fastify, lines } = await app(t)
  await fastify.inject('/fails')
  t.match(lines, [
    { level: 50, err: { message: 'broken' } },
    { level: 30, route: '/fails', statusCode: 500 }
  ])
  t.equal(lines[0]?.reqId, lines[1]?.reqId)
})

t.test('a route that logs failures only', async (t) => {
  const { fastify, lines } = await app(t)
  await fastify.inject('/well')
  t.strictSame(lines, [])
  await fastify.inject('/well?down')
  t.match(lines, [{ route: '/well', statusCode: 503 }])
})

t.test("`fastify` keeps Fastify's lines, `off` none; its own options win", async (t) => {
  const rows: ReadonlyArray<[ServerConfig, string[]]> = [
    [{ requestLog: 'fastify' }, ['incoming request', 'request completed']],
    [{ requestLog: 'off' }, []],
    [{ requestIdLogLabel: 'id' }, ['incoming request', 'request completed']]
  ]
  for (const [server, expected] of rows) {
    const { fastify, lines } = await app(t, server)
    await fastify.inject('/users/a')
    t.strictSame(
      lines.map(({ msg }) => msg),
      expected,
      JSON.stringify(server)
    )
  }
})

t.test('the log of development has a line per request where it is asked for', async (t) => {
  for (const [requestLog, shows] of [
    [undefined, false],
    ['answers', true]
  ] as const) {
    let text = ''
    const devLog = new DevLog({ write: (line: string) => (text += line) } as never, (_style, plain) => plain)
    const config: SvcConfig = {
      mode: 'development',
      server: requestLog === undefined ? {} : { requestLog },
      modules: [
        async function routes(fastify: import('fastify').FastifyInstance) {
          fastify.get('/:name', async () => ({ ok: true }))
        }
      ]
    }
    const fastify = await createServer(application(config, import.meta.url), { devLog })
    t.teardown(() => fastify.close())
    await fastify.inject('/a')
    t.equal(/request completed {2}GET \/a {2}reqId=\S+ {2}route=\/:name {2}statusCode=200/.test(text), shows, text)
  }
})
