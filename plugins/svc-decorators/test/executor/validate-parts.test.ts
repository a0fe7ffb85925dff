/** Schemas of any library on controllers: validated, transformed, answered in one form. */
import { Type } from '@sinclair/typebox'
import { type } from 'arktype'
import { fastify as createFastify, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { z } from 'zod'
import svcDecorators, {
  Body,
  type ControllerClass,
  compileController,
  controller,
  Get,
  Headers,
  IsGranted,
  Param,
  Post,
  Query
} from '../../src/index.ts'
import { grantByHeader } from '../support/grant.ts'
import { rawRequest } from '../support/raw-request.ts'

async function serving(t: Test, Class: ControllerClass, options: FastifyServerOptions = {}): Promise<FastifyInstance> {
  const app = createFastify(options) as unknown as FastifyInstance
  t.teardown(() => app.close())
  await app.register(svcDecorators, { controllers: [Class] })
  await app.ready()
  return app
}

const post = (app: FastifyInstance, url: string, payload: unknown) =>
  app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload: JSON.stringify(payload) })

const taken = async (title: string): Promise<boolean> => {
  await null
  return title !== 'taken'
}
const MAKES = {
  zod: z.object({ title: z.string().trim().min(1), count: z.coerce.number() }),
  valibot: v.object({
    title: v.pipe(v.string(), v.trim(), v.minLength(1)),
    count: v.pipe(v.union([v.string(), v.number()]), v.transform(Number))
  }),
  arktype: type({ title: type('string.trim').to('string > 0'), count: 'string.numeric.parse', '+': 'delete' })
}
const ASYNC = {
  zod: MAKES.zod.extend({ title: z.string().trim().refine(taken, 'is taken') }),
  valibot: v.objectAsync({
    title: v.pipeAsync(v.string(), v.trim(), v.checkAsync(taken, 'is taken')),
    count: v.pipe(v.union([v.string(), v.number()]), v.transform(Number))
  })
}

for (const [make, body] of Object.entries(MAKES)) {
  t.test(`${make}: the controller gets what the schema gives, and a fault names its place`, async (t) => {
    @controller()
    class Notes {
      @Post('/', { body })
      write(@Body() note: unknown): unknown {
        return note
      }
    }
    const app = await serving(t, Notes)
    const made = await post(app, '/', { title: ' One ', count: '7', more: 1 })
    t.strictSame([made.statusCode, made.json()], [200, { title: 'One', count: 7 }])
    const refused = await post(app, '/', { title: 1, count: '7' })
    t.match(refused.json(), {
      statusCode: 400,
      code: 'SVC_HTTP_VALIDATION',
      error: 'Bad Request',
      message: 'the body is not valid',
      details: [{ path: '/title', message: /string/ }]
    })
    t.equal((await app.inject({ method: 'POST', url: '/' })).statusCode, 400, 'no body at all')
  })
}

for (const [make, body] of Object.entries(ASYNC)) {
  t.test(`${make}: an asynchronous check keeps the transformed value`, async (t) => {
    @controller()
    class Notes {
      @Post('/', { body })
      write(@Body() note: unknown): unknown {
        return note
      }
    }
    const app = await serving(t, Notes)
    t.strictSame((await post(app, '/', { title: ' One ', count: '7' })).json(), { title: 'One', count: 7 })
    const refused = await post(app, '/', { title: 'taken', count: '7' })
    t.match(refused.json(), { statusCode: 400, details: [{ path: '/title', message: 'is taken' }] })
  })
}

t.test('TypeBox is JSON Schema: Fastify compiles it', async (t) => {
  @controller()
  class Notes {
    @Post('/', { body: Type.Object({ title: Type.String({ minLength: 1 }) }) })
    write(@Body() note: unknown): unknown {
      return note
    }
  }
  const app = await serving(t, Notes)
  t.strictSame((await post(app, '/', { title: 'One' })).json(), { title: 'One' })
  t.match((await post(app, '/', {})).json(), { details: [{ path: '/title', message: 'is required' }] })
})

@controller('/parts')
class Parts {
  @Get('/:id', {
    params: z.object({ id: z.coerce.number().int() }),
    query: v.object({
      flag: v.optional(
        v.pipe(
          v.string(),
          v.transform((text) => text === 'yes')
        ),
        'no'
      )
    }),
    headers: z.object({ 'x-level': z.coerce.number().refine(async (level) => level < 5, 'is too high') })
  })
  read(@Param('id') id: unknown, @Query('flag') flag: unknown, @Headers() headers: Record<string, unknown>): unknown {
    return { id, flag, level: headers['x-level'], host: headers.host !== undefined }
  }

  @Post('/mixed/:id', {
    params: { type: 'object', properties: { id: { type: 'integer' } } },
    body: z.string().transform((text) => text.length)
  })
  mixed(@Param('id') id: unknown, @Body() length: unknown): unknown {
    return { id, length }
  }

  @Post('/attached', { body: z.object({ a: z.string() }), attachValidation: true })
  attached(@Body() body: unknown): unknown {
    return body
  }

  @Post('/worded', {
    body: z.object({ a: z.string() }),
    schemaErrorFormatter: (faults, part) => new Error(`${part}: ${faults.length}`),
    errorHandler: (error, _request, reply) => void reply.send({ message: error.message, code: error.code })
  })
  worded(@Body() body: unknown): unknown {
    return body
  }
}

t.test('every part of a request may have a schema, each of its own make', async (t) => {
  const app = await serving(t, Parts)
  const headers = { 'x-level': '3' }
  t.strictSame((await app.inject({ url: '/parts/7?flag=yes', headers })).json(), {
    id: 7,
    flag: true,
    level: 3,
    host: true
  })
  t.match((await app.inject({ url: '/parts/x', headers })).json(), {
    message: 'the params is not valid',
    details: [{ path: '/id' }]
  })
  t.match((await app.inject({ url: '/parts/7?flag=a&flag=b', headers })).json(), {
    message: 'the querystring is not valid'
  })
  t.match((await app.inject({ url: '/parts/7', headers: { 'x-level': '9' } })).json(), {
    message: 'the headers is not valid',
    details: [{ path: '/x-level', message: 'is too high' }]
  })
  t.strictSame((await post(app, '/parts/mixed/7', '')).json(), { id: 7, length: 0 }, 'a value that is falsy, too')
  t.match((await post(app, '/parts/mixed/x', 'a')).json(), { message: 'the params is not valid' })
})

t.test("the route's own ways with faults hold", async (t) => {
  const app = await serving(t, Parts)
  t.strictSame((await post(app, '/parts/attached', { a: 1 })).json(), { a: 1 })
  t.strictSame((await post(app, '/parts/worded', { a: 1 })).json(), { message: 'body: 1', code: 'FST_ERR_VALIDATION' })
})

t.test('no more than twenty faults are listed', async (t) => {
  @controller()
  class Many {
    @Post('/', { body: z.array(z.string()) })
    write(@Body() all: unknown): unknown {
      return all
    }
  }
  const answer = (await post(await serving(t, Many), '/', Array(50).fill(1))).json()
  t.equal(answer.details.length, 20)
  t.equal(answer.message, 'the body is not valid; 30 more faults are not listed')
})

t.test('what is neither a value nor issues lets nothing through', async (t) => {
  const odd = (answer: unknown) =>
    ({
      '~standard': {
        version: 1,
        vendor: 'odd',
        validate: () => (answer === 'broken' ? Promise.reject(new Error(answer)) : answer)
      }
    }) as const
  for (const answer of [undefined, null, true, {}, Promise.resolve('x'), 'broken']) {
    let ran = false
    @controller()
    class Odd {
      @Post('/', { body: odd(answer) })
      write(): void {
        ran = true
      }
    }
    t.equal((await post(await serving(t, Odd), '/', {})).statusCode, 500)
    t.notOk(ran)
  }
})

t.test('a caller that the guard refuses starts no check of a schema', async (t) => {
  const checked: string[] = []
  const body = v.objectAsync({
    a: v.pipeAsync(
      v.string(),
      v.checkAsync(async (text) => checked.push(text) > 0)
    )
  })
  @controller()
  class Guarded {
    @Post('/', { body })
    @IsGranted('ROLE_A')
    write(@Body() note: unknown): unknown {
      return note
    }
  }
  const app = createFastify() as unknown as FastifyInstance
  t.teardown(() => app.close())
  await grantByHeader(app)
  await app.register(svcDecorators, { controllers: [Guarded] })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const head =
    'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 9\r\n'
  t.match(await rawRequest(app, `${head}\r\n{"a":"x"}`), /^HTTP\/1\.1 403 /)
  t.strictSame(checked, [])
  t.match(await rawRequest(app, `${head}x-roles: ROLE_A\r\n\r\n{"a":"x"}`), /^HTTP\/1\.1 200 /)
  t.strictSame(checked, ['x'])
})

t.test('plain route options validate on any Fastify', async (t) => {
  const app = createFastify() as unknown as FastifyInstance
  t.teardown(() => app.close())
  for (const route of compileController(Parts)) app.route(route)
  const answer = (await post(app, '/parts/mixed/7', 1)).json()
  t.match(answer, { statusCode: 400, code: 'FST_ERR_VALIDATION', message: /^body .*string/ })
  t.strictSame((await post(app, '/parts/mixed/7', 'abc')).json(), { id: 7, length: 3 })
})
