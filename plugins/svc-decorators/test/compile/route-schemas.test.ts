/** Schemas that the boot refuses, each with its place; and what a short form stands for. */
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import type { BootError } from 'svc-kernel'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { compileClass } from '../../src/compile/compile-class.ts'
import svcDecorators, {
  Body,
  type ControllerClass,
  compileController,
  controller,
  Post,
  route
} from '../../src/index.ts'

const S = z.object({ a: z.string() })

/** A schema of a library that keeps to no standard. */
class Foreign {
  validate(): boolean {
    return true
  }
}

const vendor = (jsonSchema: object | undefined) =>
  ({ '~standard': { version: 1, vendor: 'odd', validate: (value: unknown) => ({ value }), jsonSchema } }) as const

t.test('short forms stand for the schema of Fastify', async (t) => {
  const one = { type: 'object', title: 'one' }
  @controller()
  class Short {
    @Post('/', { body: one, query: { title: 'q' }, params: { title: 'p' }, headers: { title: 'h' }, response: one })
    single(): void {}

    @route('x', {
      path: '/x',
      method: 'POST',
      response: { 201: one, '4xx': one, default: one },
      schema: { tags: ['t'] } as never
    })
    many(): void {}

    @Post('/y', { schema: { query: { title: 'q' } } as never })
    alias(): void {}
  }
  const [single, many, alias] = compileClass(Short).endpoints.map(({ settings }) => settings)
  t.strictSame(single, {
    schema: {
      body: one,
      querystring: { title: 'q' },
      params: { title: 'p' },
      headers: { title: 'h' },
      response: { '2xx': one }
    }
  })
  t.strictSame(many, { schema: { tags: ['t'], response: { 201: one, '4xx': one, default: one } } })
  t.strictSame(alias, { schema: { querystring: { title: 'q' } } })
})

@controller()
class Mistaken {
  @Post('/twice', { body: S, schema: { body: S } })
  twice(@Body() _body: unknown): void {}

  @Post('/query', { query: S, schema: { query: S } as never })
  query(): void {}

  @Post('/answer', { response: { 200: vendor(undefined) } })
  answer(): void {}

  @Post('/thrown', {
    response: {
      200: {
        content: {
          'application/json': {
            schema: vendor({
              output() {
                throw new Error('cannot')
              }
            })
          }
        }
      }
    }
  })
  thrown(): void {}
}

t.test('schemas given twice, and answers that cannot be written', async (t) => {
  t.match(compileClass(Mistaken).problems, [
    { code: 'SVC_ROUTE_SCHEMA', message: 'Mistaken.twice defines the schema of its body twice: in body and in schema' },
    {
      code: 'SVC_ROUTE_SCHEMA',
      message: 'Mistaken.query defines the schema of its query twice: in query and in schema'
    },
    {
      code: 'SVC_ROUTE_SCHEMA',
      message: /^schema\.response\[200\] of Mistaken\.answer cannot be exported/,
      got: /^odd exports no JSON Schema/
    },
    {
      code: 'SVC_ROUTE_SCHEMA',
      message: /^schema\.response\[200\]\.content\['application\/json'\] of Mistaken\.thrown/,
      got: 'cannot'
    }
  ])
  for (const { at } of compileClass(Mistaken).problems) t.match(at, /route-schemas\.test\.\w+:\d+/)
})

async function booted(
  t: Test,
  Class: ControllerClass,
  prepare: (app: FastifyInstance) => unknown
): Promise<FastifyInstance> {
  const app = createFastify() as unknown as FastifyInstance
  t.teardown(() => app.close())
  prepare(app)
  await app.register(svcDecorators, { controllers: [Class] })
  await app.ready()
  return app
}

t.test('a library of no standard needs a compiler', async (t) => {
  @controller()
  class Odd {
    @Post('/', { body: new Foreign(), query: 'text' as unknown as object })
    write(@Body() body: unknown): unknown {
      return body
    }
  }
  const refused = (await booted(t, Odd, () => undefined).catch((error: unknown) => error)) as BootError
  t.match(refused.problems, [
    { code: 'SVC_ROUTE_SCHEMA', message: /^schema\.body of Odd\.write is neither/, got: 'an instance of Foreign' },
    { code: 'SVC_ROUTE_SCHEMA', message: /^schema\.querystring of Odd\.write is neither/, got: 'string' }
  ])
  const app = await booted(t, Odd, (app) => app.setValidatorCompiler(() => () => ({ value: { judged: true } })))
  t.strictSame((await app.inject({ method: 'POST', url: '/', payload: {} })).json(), { judged: true })
  t.equal(compileController(Odd).length, 1, 'plain route options are for any server')
})

t.test('a compiler of the route reads what it likes, Standard Schemas too', async (t) => {
  @controller()
  class Own {
    @Post('/', { body: new Foreign(), validatorCompiler: () => () => ({ value: 'own' }) })
    foreign(@Body() body: unknown): unknown {
      return { body }
    }

    @Post('/s', { body: S, validatorCompiler: () => () => ({ value: { a: 'own' } }) })
    standard(@Body() body: unknown): unknown {
      return { body }
    }
  }
  const app = await booted(t, Own, () => undefined)
  t.strictSame((await app.inject({ method: 'POST', url: '/' })).json(), { body: 'own' })
  t.strictSame((await app.inject({ method: 'POST', url: '/s' })).json(), { body: { a: 'own' } })
})

t.test('a compiler that throws stops the boot and names the route', async (t) => {
  @controller()
  class Broken {
    @Post('/', {
      body: S,
      validatorCompiler: () => {
        throw new Error('cannot compile')
      }
    })
    write(): void {}
  }
  await t.rejects(
    booted(t, Broken, () => undefined),
    { code: 'FST_ERR_SCH_VALIDATION_BUILD', message: /POST: \/, due to error cannot compile/ }
  )
})
