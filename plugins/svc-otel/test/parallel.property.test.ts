/** Any mix of nested work, a hundred requests at once: every span has its parent, and none of another request. */
import { trace } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import fc from 'fast-check'
import Fastify from 'fastify'
import { requestChannels } from 'svc-kernel'
import t from 'tap'
import svcOtel from '../src/index.ts'
import { Sdk } from './support/sdk.ts'

/** What a handler does: one step after another, or beside each other. */
interface Step {
  readonly kind: 'operation' | 'repository' | 'statement' | 'own'
  readonly waits: number
  readonly beside: boolean
  readonly inner: readonly Step[]
}

const { step } = fc.letrec<{ step: Step }>((tie) => ({
  step: fc.record({
    kind: fc.constantFrom('operation', 'repository', 'statement', 'own'),
    waits: fc.integer({ min: 0, max: 3 }),
    beside: fc.boolean(),
    inner: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('step'), { maxLength: 3 }))
  })
}))

const pathOf = ({ name }: ReadableSpan) => name.replace(/^(?:find|select) /, '')

/** @returns the paths of all spans below requests @throws Error for an orphan, a wrong parent and a wrong trace */
function checkParents(spans: readonly ReadableSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]))
  const traces = new Map<string, Set<string>>()
  const below = spans.filter(({ name }) => name !== 'GET /:id')
  for (const span of below) {
    const path = pathOf(span)
    const parent = byId.get(span.parentSpanContext?.spanId ?? '')
    if (parent === undefined) throw new Error(`${path} is an orphan`)
    const above = path.slice(0, path.lastIndexOf('.'))
    const isRight = above.includes('.') ? pathOf(parent) === above : parent.name === 'GET /:id'
    if (!isRight) throw new Error(`${path} is below ${parent.name}`)
    const request = path.split('.')[0] as string
    traces.set(request, (traces.get(request) ?? new Set()).add(span.spanContext().traceId))
  }
  const ids = [...traces.values()].map((of) => [...of].join())
  if (ids.some((id) => id.includes(',')) || new Set(ids).size !== ids.length) throw new Error('traces are mixed')
  return below.map(pathOf)
}

t.test('a hundred requests with nested work', async (t) => {
  const sdk = new Sdk(t)
  const plans = new Map<string, readonly Step[]>()
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOtel)

  /** The name of each span says where it must be: `<request>/<path of steps>`. */
  const work = async (steps: readonly Step[], path: string, request: never): Promise<void> => {
    const running: Promise<void>[] = []
    for (const [index, each] of steps.entries()) {
      const run = perform(each, `${path}.${index}`, request)
      if (each.beside) running.push(run)
      else await run
    }
    await Promise.all(running)
  }
  const perform = async ({ kind, waits, inner }: Step, name: string, request: never): Promise<void> => {
    const inside = async (): Promise<void> => {
      for (let turn = 0; turn < waits; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      await work(inner, name, request)
    }
    const { operation, repository, statement } = requestChannels
    if (kind === 'operation') await operation.trace({ request, name }, inside)
    else if (kind === 'repository') {
      await repository.trace({ connector: 'c', entity: name, operation: 'find', plan: '' }, inside)
    } else if (kind === 'own') {
      await trace.getTracer('own').startActiveSpan(name, (span) => inside().finally(() => span.end()))
    } else statement.publish({ connector: 'c', kind: 'select', table: name, durationMs: 0, failed: false })
  }
  fastify.get('/:id', async (request) => {
    const { id } = request.params as { id: string }
    await work(plans.get(id) ?? [], id, request as never)
    return null
  })
  await fastify.ready()

  const expected = (steps: readonly Step[], path: string): string[] =>
    steps.flatMap(({ kind, inner }, index) => {
      const own = `${path}.${index}`
      return [own, ...(kind === 'statement' ? [] : expected(inner, own))]
    })

  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 3 }), { minLength: 100, maxLength: 100 }), async (given) => {
      sdk.clear()
      plans.clear()
      for (const [index, steps] of given.entries()) plans.set(`r${index}`, steps)
      await Promise.all([...plans.keys()].map((id) => fastify.inject(`/${id}`)))
      const seen = checkParents(sdk.spans)
      t.strictSame(seen.sort(), [...plans].flatMap(([id, steps]) => expected(steps, id)).sort())
    }),
    { numRuns: 5 }
  )
})
