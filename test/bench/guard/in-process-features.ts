/** The applications of the cases that are more than routes: a generated list, messages of a WebSocket, the journal's events. */
import type { FastifyInstance } from 'fastify'
import type { CrudQuery, OrmPort } from 'svc-orm'
import type { WebSocket as Socket } from 'ws'
import { BENCH_OPTIONS } from '../webhooks/webhook-app.ts'
import type { Build } from './build.ts'
import type { OpenCase } from './open-case.ts'

const ENDPOINTS = 100
const EVENTS_PER_BATCH = 5000

/** The list as `svc create entity` writes it, over a thousand rows of embedded SQLite. */
export async function listing({ fastify, decorators, orm, sqlorm }: Build): Promise<FastifyInstance> {
  const { default: svcDecorators, controller, Get, Query } = decorators
  const Article = orm.defineEntity({
    name: 'Article',
    schema: { title: { type: 'string' }, body: { type: 'text' }, reads: { type: 'integer', default: 0 } }
  })
  const { routes, page } = orm.crud(Article)
  @controller('/api/articles')
  class ArticlesController {
    readonly #articles

    constructor({ orm }: { orm: OrmPort }) {
      this.#articles = orm.repository(Article)
    }

    @Get('/', routes.list)
    list(@Query() query: CrudQuery) {
      return page(this.#articles, query)
    }
  }
  const app = fastify.fastify()
  await app.register(orm.default, { parts: { entities: [Article] } })
  await app.register(sqlorm.default, { connectors: { default: { url: 'sqlite::memory:' } }, frameworkEntities: false })
  await app.register(svcDecorators, { controllers: [ArticlesController] })
  await app.ready()
  const rows = Array.from({ length: 1000 }, (_, n) => ({ title: `article ${n}`, body: 'a text', reads: n % 50 }))
  await app.orm.repository(Article).createMany(rows)
  return app
}

/** One connection without a network; the next message goes when the answer to the last is there. */
export async function sockets({ fastify, decorators }: Build): Promise<OpenCase> {
  const { default: svcDecorators, controller, Message, WebSocket } = decorators
  @controller('/api')
  class EchoController {
    @WebSocket('/echo')
    echo(@Message() text: string): unknown {
      return { echo: text }
    }
  }
  const app = fastify.fastify()
  await app.register(svcDecorators, { controllers: [EchoController] })
  await app.ready()
  const socket: Socket = await (app as unknown as { injectWS(path: string): Promise<Socket> }).injectWS('/api/echo')
  return {
    async run(count) {
      for (let sent = 0; sent < count; sent += 1) {
        const answer = new Promise<string>((resolve) => socket.once('message', (data) => resolve(String(data))))
        socket.send('hello')
        const text = await answer
        if (text !== '{"echo":"hello"}') throw new Error(`no echo in ${text}`)
      }
    },
    async close() {
      socket.terminate()
      await app.close()
    }
  }
}

/** What an event costs whoever records it, beside endpoints of which none wants it. */
export async function webhooks({ fastify, audit, webhooks }: Build): Promise<OpenCase> {
  const app = fastify.fastify()
  await app.register(audit.default)
  await app.register(webhooks.default, BENCH_OPTIONS)
  for (let index = 0; index < ENDPOINTS; index += 1) {
    await app.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['passkey.registered', `config.${index}`] })
  }
  await app.ready()
  const event = { category: 'auth', action: 'login.failure', outcome: 'failure', actor: 'alice' } as const
  return {
    batch: EVENTS_PER_BATCH,
    async run(count) {
      for (let recorded = 0; recorded < count; recorded += 1) app.audit.record(event)
    },
    close: async () => await app.close()
  }
}
