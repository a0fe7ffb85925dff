/** A collector that is gone: the application answers, and its log has one line. */
import { SpanKind } from '@opentelemetry/api'
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import Fastify from 'fastify'
import t from 'tap'
import svcOtel from '../src/index.ts'
import { Sdk } from './support/sdk.ts'

/** Fails as an exporter of OTLP does whose collector does not answer. */
class GoneExporter implements SpanExporter {
  readonly asked: ReadableSpan[] = []
  onAsked = (): void => undefined

  export(spans: ReadableSpan[], done: (result: { code: number; error?: Error }) => void): void {
    this.asked.push(...spans)
    done({ code: 1, error: new Error('connect ECONNREFUSED 127.0.0.1:4318, authorization Bearer abc.def.ghi') })
    // The SDK tells the failure in a later turn.
    setImmediate(() => this.onAsked())
  }

  async shutdown(): Promise<void> {}
}

t.test('requests are answered, one line tells the failure, without what proves an identity', async (t) => {
  const exporter = new GoneExporter()
  const processor = new BatchSpanProcessor(exporter, { scheduledDelayMillis: 1 })
  new Sdk(t, processor)
  const lines: string[] = []
  const fastify = Fastify({ logger: { level: 'info', stream: { write: (line) => void lines.push(line) } } })
  t.teardown(() => fastify.close())
  await fastify.register(svcOtel)
  fastify.get('/', async () => 'answered')
  // Timers of the SDK keep no process alive; the server does.
  await fastify.listen({ port: 0, host: '127.0.0.1' })
  for (let round = 0; round < 3; round += 1) {
    const asked = new Promise<void>((resolve) => {
      exporter.onAsked = resolve
    })
    t.equal((await fastify.inject('/')).body, 'answered')
    await asked
  }
  t.match(exporter.asked, [{ kind: SpanKind.SERVER }, {}, {}])
  const told = lines.filter((line) => line.includes('SVC_OTEL_SDK'))
  t.equal(told.length, 1)
  t.match(told[0], 'connect ECONNREFUSED 127.0.0.1:4318')
  t.notMatch(told[0], 'abc.def.ghi')
})
