/** U6, U7: controllers beside a validator compiler of the application's own, and beside formatters of its errors. */
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import { fastify as createFastify, type FastifyInstance, type FastifySchemaCompiler } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import svcDecorators, { type ControllerClass, controller, Get, Post } from 'svc-decorators'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { startApp } from '../support/start-app.ts'

@controller('/json')
class Json {
  @Post('/', { body: { type: 'object', required: ['a'] } })
  post(): unknown {
    return { ok: true }
  }

  @Get('/:id', { params: { type: 'object' } })
  get(): unknown {
    return { ok: true }
  }
}

@controller('/zod')
class Zod {
  @Post('/', { body: z.object({ a: z.string() }) })
  post(): unknown {
    return { ok: true }
  }
}

async function warnings(t: Test, compiler: unknown, controllers: ControllerClass[]) {
  const fastify = createFastify() as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  if (compiler !== undefined) fastify.setValidatorCompiler(compiler as FastifySchemaCompiler<unknown>)
  await fastify.register(svcDecorators, { controllers })
  await fastify.ready()
  return { fastify, warned: fastify.bootWarnings.filter(({ code }) => code === 'SVC_ROUTE_SCHEMA') }
}

t.test('U6: JSON Schema that the compiler of the application does not read is one line of the boot', async (t) => {
  const { fastify, warned } = await warnings(t, validatorCompiler, [Json, Zod])
  t.match(warned, [{ message: /JSON Schema of POST \/json and 1 more/, at: /unread-schemas\.test\.js:\d+$/ }])
  t.equal(warned.length, 1)
  const answer = await fastify.inject({ method: 'POST', url: '/json', payload: { a: 1 } })
  t.equal(answer.statusCode, 500, 'what the line says')
})

t.test('U6: nothing is said where the schemas are read', async (t) => {
  t.strictSame((await warnings(t, validatorCompiler, [Zod])).warned, [])
  t.strictSame((await warnings(t, undefined, [Json, Zod])).warned, [])
  t.strictSame((await warnings(t, TypeBoxValidatorCompiler, [Json])).warned, [])
})

const format = (faults: { message?: string }[], part: string) =>
  Object.assign(new Error(`${part}: ${faults.length} wrong`), { code: 'SHOP_INPUT', statusCode: 422 })

@controller('/formatted')
class Formatted {
  @Post('/json', { schema: { body: { type: 'object', required: ['a'] } }, schemaErrorFormatter: format })
  json(): unknown {
    return { ok: true }
  }

  @Post('/zod', { schema: { body: z.object({ a: z.string() }) }, schemaErrorFormatter: format })
  zod(): unknown {
    return { ok: true }
  }

  @Post('/later', {
    schema: { body: z.object({ a: z.string().refine(async () => false) }) },
    schemaErrorFormatter: () => new Error('only a message')
  })
  later(): unknown {
    return { ok: true }
  }

  @Post('/plain', { body: { type: 'object', required: ['a'] } })
  plain(): unknown {
    return { ok: true }
  }
}

t.test('U7: what a schemaErrorFormatter gives is the answer, as in Fastify', async (t) => {
  const raw = createFastify()
  raw.post('/', { schema: { body: { type: 'object', required: ['a'] } }, schemaErrorFormatter: format }, () => ({}))
  const { statusCode, code, message } = (await raw.inject({ method: 'POST', url: '/', payload: {} })).json()
  t.strictSame([statusCode, code, message], [422, 'SHOP_INPUT', 'body: 1 wrong'])

  const { fastify } = await startApp(t, { security: false, controllers: [Formatted] })
  const post = async (name: string, payload: object = {}) =>
    (await fastify.inject({ method: 'POST', url: `/formatted/${name}`, payload })).json()
  t.match(await post('json'), { statusCode, code, message, details: [{ path: '/a' }] })
  t.match(await post('zod'), { statusCode, code, message, details: [{ path: '/a' }] })
  const later = { statusCode: 400, code: 'SVC_HTTP_VALIDATION', message: 'only a message' }
  t.match(await post('later', { a: 'b' }), later, 'what it does not say stays')
  t.match(await post('plain'), { code: 'SVC_HTTP_VALIDATION', message: 'the body is not valid' })
})

t.test('U7: that of the server applies too', async (t) => {
  const server = { schemaErrorFormatter: format as never }
  const { fastify } = await startApp(t, { security: false, controllers: [Json], server })
  const answer = await fastify.inject({ method: 'POST', url: '/json', payload: {} })
  t.match(answer.json(), { statusCode: 422, code: 'SHOP_INPUT', message: 'body: 1 wrong' })
})
