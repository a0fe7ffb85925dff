/**
 * An application in a process of its own, as `node dist/app.js` runs it: health, journal and WebSockets, and routes that
 * fail where nobody hears it. The argument is its settings as JSON; `handles` gives it a handler of its own.
 */
import type { FastifyInstance } from 'fastify'
import svcAudit from 'svc-audit'
import svcDecorators, { controller, Message, WebSocket } from 'svc-decorators'
import { application, type Mode, type ServerConfig, serve } from 'svc-host'
import svcOps from 'svc-ops'

export interface ServedSettings {
  readonly mode?: Mode
  readonly server?: ServerConfig
  readonly handles?: boolean
}

@controller('/echo')
class Echo {
  @WebSocket()
  echo(@Message() text: string): string {
    return text
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function routes(fastify: FastifyInstance): Promise<void> {
  fastify.audit.subscribe((event) => say(`event ${JSON.stringify(event)}`))
  fastify.get('/', async () => ({ ok: true }))
  fastify.get('/at-once', (_request, reply) => {
    reply.send({ ok: true })
  })
  fastify.post('/body', async ({ body }) => ({ body }))
  // Ends when another request says so.
  fastify.get('/held', async () => {
    say('held began')
    await new Promise<void>((resolve) => {
      held.push(resolve)
    })
    return { held: true }
  })
  fastify.get('/free', async () => {
    for (const resolve of held) resolve()
    return { ok: true }
  })
  const held: Array<() => void> = []
  fastify.get('/rejects', async () => {
    void Promise.reject(new Error('nobody hears this'))
    return { ok: true }
  })
  fastify.get('/throws', async () => {
    setImmediate(() => {
      throw new Error('nobody catches this')
    })
    return { ok: true }
  })
  fastify.get('/rejects-nothing', async () => {
    void Promise.reject()
    return { ok: true }
  })
  // Ends when the application stops; `fails` leaves a rejection that nobody hears.
  fastify.get<{ Querystring: { fails?: string } }>('/slow', async ({ query }) => {
    say('slow began')
    const stopped = new Promise<void>((resolve) => {
      stopping.push(resolve)
    })
    await stopped
    if (query.fails !== undefined) void Promise.reject(new Error('and again'))
    await new Promise((resolve) => setImmediate(resolve))
    return { slow: 'finished' }
  })
  const stopping: Array<() => void> = []
  fastify.addHook('preClose', async () => {
    say('closing')
    for (const resolve of stopping) resolve()
  })
  fastify.addHook('onClose', async () => say('closed'))
}

const { handles = false, ...config } = JSON.parse(process.argv[2] as string) as ServedSettings
if (handles) process.on('unhandledRejection', (reason) => say(`handled ${(reason as Error).message}`))
await serve(
  application(
    { mode: 'production', ...config, modules: [svcAudit, svcOps, routes, [svcDecorators, { controllers: [Echo] }]] },
    import.meta.url
  )
)
