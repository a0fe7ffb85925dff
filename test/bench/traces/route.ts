/** One guarded route that reads from SQLite, with what traces it, and the processor time of a request. */
import { FastifyOtelInstrumentation } from '@fastify/otel'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import Fastify, { type FastifyInstance } from 'fastify'
import svcDecorators, { controller, Get, IsGranted, Param } from 'svc-decorators'
import { createAccessToken } from 'svc-kernel'
import svcOrm, { defineEntity } from 'svc-orm'
import svcOtel from 'svc-otel'
import svcSecurity from 'svc-security'
import svcSqlorm from 'svc-sqlorm'

/** What traces the route. `removed` is `absent` with the call sites removed. */
export type Side = 'removed' | 'absent' | 'no SDK' | 'SDK' | '@fastify/otel'

export interface RouteCost {
  /** Processor time of a request. */
  readonly us: number
  readonly spans: number
}

const WARM_UP = 5_000
const MEASURED = 8_000
/** Requests whose spans are kept in memory. */
const KEPT = 500

const Note = defineEntity({ name: 'Note', schema: { title: { type: 'string' } } })

@controller('/api/notes')
class Notes {
  readonly #fastify: FastifyInstance

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
  }

  @Get('/:title')
  @IsGranted('ROLE_USER')
  async read(@Param('title') title: string): Promise<unknown> {
    const [note] = await this.#fastify.orm.repository(Note).find({ title })
    return { title: note?.title }
  }
}

const token = createAccessToken({ type: 'session', user: { identifier: 'alice', roles: ['ROLE_USER'] } })

function startSdk(): { exporter: InMemorySpanExporter; provider: BasicTracerProvider } {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  return { exporter, provider }
}

export async function measureRoute(side: Side): Promise<RouteCost> {
  const sdk = side === 'SDK' || side === '@fastify/otel' ? startSdk() : null
  if (side === '@fastify/otel' && sdk !== null) {
    new FastifyOtelInstrumentation({ registerOnInitialization: true }).setTracerProvider(sdk.provider)
  }
  const fastify = Fastify()
  if (side === 'SDK' || side === 'no SDK') await fastify.register(svcOtel)
  await fastify.register(svcSecurity, {
    areas: { api: { pattern: '^/api', authenticators: ['fixed'] } },
    parts: { authenticators: { fixed: { supports: () => true, createToken: () => 'x', authenticate: () => token } } }
  })
  await fastify.register(svcOrm, { parts: { entities: [Note] } })
  await fastify.register(svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } }, frameworkEntities: false })
  await fastify.register(svcDecorators, { controllers: [Notes] })
  await fastify.ready()
  await fastify.orm.repository(Note).create({ title: 'milk' })
  let spans = 0
  const run = async (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      const { statusCode, body } = await fastify.inject('/api/notes/milk')
      if (body !== '{"title":"milk"}') throw new Error(`${side}: the request was answered ${statusCode} ${body}`)
      if (sdk === null || left % KEPT !== 0) continue
      spans = sdk.exporter.getFinishedSpans().length
      sdk.exporter.reset()
    }
  }
  await run(WARM_UP)
  const before = process.cpuUsage()
  await run(MEASURED)
  const { user, system } = process.cpuUsage(before)
  await fastify.close()
  return { us: (user + system) / MEASURED, spans: Math.round(spans / KEPT) }
}
