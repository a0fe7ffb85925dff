/**
 * Every order in which an application may register its parts, with and without
 * waiting for each: a guarded route is closed to those who may not, whatever comes first.
 * In the long run: it boots every order.
 */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import svcDecorators, { compileController, controller, Get, IsGranted, Post } from 'svc-decorators'
import svcKernel, { guardHooks } from 'svc-kernel'
import svcSecurity from 'svc-security'
import t from 'tap'
import { bearer, PlainCredential } from '../support/plain-credential.ts'

/** A guarded controller under its own path. */
function guardedAt(path: string) {
  @controller(path)
  @IsGranted('ROLE_USER')
  class Guarded {
    @Get()
    read(): string {
      return 'inside'
    }

    @Post()
    write(): string {
      return 'inside'
    }
  }
  return Guarded
}

const security = {
  areas: { app: { pattern: '^/app', authenticators: ['bearer', 'anonymous'] } },
  parts: { authenticators: { bearer: PlainCredential.bearer() } }
}

type Step = (fastify: FastifyInstance) => PromiseLike<unknown> | unknown

/** The steps that declare routes name the path they declare. */
const steps: Record<string, { run: Step; path?: string }> = {
  security: { run: (fastify) => fastify.register(svcSecurity, security) },
  plugin: {
    path: '/app/plugin',
    run: (fastify) => fastify.register(svcDecorators, { controllers: [guardedAt('/app/plugin')] })
  },
  child: {
    path: '/app/child',
    run: (fastify) =>
      fastify.register(
        async (scope: FastifyInstance) => {
          await scope.register(async (inner: FastifyInstance) => {
            await inner.register(svcDecorators, { controllers: [guardedAt('/child')] })
          })
        },
        { prefix: '/app' }
      )
  },
  compiled: {
    path: '/app/compiled',
    run: (fastify) => {
      for (const route of compileController(guardedAt('/app/compiled'))) fastify.route(route)
    }
  },
  plain: {
    path: '/app/plain',
    run: (fastify) => {
      const guard = guardHooks([[{ attribute: 'ROLE_USER' }]])
      fastify.route({ method: ['GET', 'POST'], url: '/app/plain', ...guard, handler: async () => 'inside' })
    }
  }
}

const CLOSED = '403 403 403 403 403 403 403 403 403'
const OPEN_TO_USERS = '403 403 403 403 403 403 200 200 200'

/** Statuses of a stranger, of somebody with another role, and of somebody who may, over GET, POST and HEAD. */
async function statuses(fastify: FastifyInstance, url: string): Promise<string> {
  const given: number[] = []
  for (const headers of [{}, bearer('alice/ROLE_OTHER'), bearer('alice/ROLE_USER')]) {
    for (const method of ['GET', 'POST', 'HEAD'] as const) {
      given.push((await fastify.inject({ method, url, headers })).statusCode)
    }
  }
  return given.join(' ')
}

/** Boots with the steps in this order. */
async function bootInOrder(order: readonly string[], waiting: boolean): Promise<FastifyInstance> {
  const fastify = createFastify() as unknown as FastifyInstance
  for (const name of order) {
    const registered = steps[name]?.run(fastify)
    if (waiting) await registered
  }
  await fastify.ready()
  return fastify
}

/**
 * What the route of a step answers. A scope that comes before everything else brings a
 * kernel of its own, which nobody hands an engine to: it stays closed even to those who may.
 */
function expectedOf(name: string, order: readonly string[]): string {
  if (!order.includes('security')) return CLOSED
  const before = order.slice(0, order.indexOf(name))
  const alone = name === 'child' && !before.includes('security') && !before.includes('plugin')
  return alone ? CLOSED : OPEN_TO_USERS
}

/** The routes that do not answer as expected. */
async function wrongAnswers(order: readonly string[], waiting: boolean): Promise<string[]> {
  const fastify = await bootInOrder(order, waiting)
  const wrong: string[] = []
  for (const name of order) {
    const path = steps[name]?.path
    if (path === undefined) continue
    const given = await statuses(fastify, path)
    if (given !== expectedOf(name, order)) wrong.push(`${order.join(', ')}: ${path} answered ${given}`)
  }
  await fastify.close()
  return wrong
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((first, index) => {
    const others = [...items.slice(0, index), ...items.slice(index + 1)]
    return permutations(others).map((rest) => [first, ...rest])
  })
}

for (const waiting of [true, false]) {
  t.test(`every order of five parts, ${waiting ? 'waiting for each' : 'not waiting'}`, async (t) => {
    const orders = permutations(Object.keys(steps))
    t.equal(orders.length, 120)
    const wrong: string[] = []
    for (const order of orders) wrong.push(...(await wrongAnswers(order, waiting)))
    t.strictSame(wrong, [])
  })
}

t.test('without svc-security every order stays closed to everybody', async (t) => {
  const others = Object.keys(steps).filter((name) => name !== 'security')
  const wrong: string[] = []
  for (const order of permutations(others)) wrong.push(...(await wrongAnswers(order, true)))
  t.strictSame(wrong, [])
})

t.test('without the kernel a compiled route is closed, not broken', async (t) => {
  const fastify = createFastify() as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  for (const route of compileController(guardedAt('/app/bare'))) fastify.route(route)
  t.equal(await statuses(fastify, '/app/bare'), CLOSED)
})

t.test('a kernel in a scope does not open what lies outside of it', async (t) => {
  const fastify = createFastify() as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  fastify.register(async (scope: FastifyInstance) => {
    await scope.register(svcKernel)
    scope.accessGate.use({ allows: () => true })
  })
  for (const route of compileController(guardedAt('/app/outside'))) fastify.route(route)
  t.equal(await statuses(fastify, '/app/outside'), CLOSED)
})

t.test('svc-security in a scope refuses to boot: what lies outside would be open', async (t) => {
  const fastify = createFastify() as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  fastify.register(async (scope: FastifyInstance) => {
    await scope.register(svcSecurity, security)
  })
  await t.rejects(Promise.resolve(fastify.ready()), { code: 'SVC_SEC_NOT_ROOT' })
})
