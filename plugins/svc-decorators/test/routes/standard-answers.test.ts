/** Answers with a Standard Schema are written by the JSON Schema that its library exports. */
import { type } from 'arktype'
import { fastify as createFastify, type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { z } from 'zod'
import svcDecorators, { Ctx, controller, Get, type HttpContext } from '../../src/index.ts'

const MAKES = {
  zod: z.object({ id: z.string(), at: z.date() }),
  valibot: v.object({ id: v.string(), at: v.date() }),
  arktype: type({ id: 'string', at: 'Date' })
}
const row = { id: '1', at: new Date(0), secret: 'of the row' }

async function serving(
  t: Test,
  Class: new () => object,
  prepare = (_app: FastifyInstance) => {}
): Promise<FastifyInstance> {
  const app = createFastify() as unknown as FastifyInstance
  t.teardown(() => app.close())
  prepare(app)
  await app.register(svcDecorators, { controllers: [Class] })
  await app.ready()
  return app
}

for (const [make, response] of Object.entries(MAKES)) {
  t.test(`${make}: what the schema does not name does not leave`, async (t) => {
    @controller()
    class Rows {
      @Get('/', { response })
      read(@Ctx() { reply }: HttpContext): unknown {
        reply.code(203)
        return row
      }

      @Get('/lacking', { response: { 200: response } })
      lacking(): unknown {
        return { secret: 'of the row' }
      }
    }
    const app = await serving(t, Rows)
    t.strictSame((await app.inject('/')).json(), { id: '1', at: '1970-01-01T00:00:00.000Z' })
    t.equal((await app.inject('/lacking')).statusCode, 500, 'nor does a row without what the schema requires')
  })
}

t.test('by status and content type, beside JSON Schema, and by a serializer of the route', async (t) => {
  const { zod } = MAKES
  @controller()
  class Rows {
    @Get('/typed', { response: { 200: { content: { 'application/json': { schema: zod } } } } })
    typed(): unknown {
      return row
    }

    @Get('/mixed', { response: { 200: zod, 202: { $ref: 'shared#' } } })
    mixed(@Ctx() { request, reply }: HttpContext): unknown {
      reply.code(Number(request.headers['x-status']))
      return { ...row, name: 'x' }
    }

    @Get('/own', { response: zod, serializerCompiler: () => () => '"own"' })
    own(): unknown {
      return row
    }
  }
  const app = await serving(t, Rows, (app) => {
    app.addSchema({ $id: 'shared', type: 'object', properties: { name: { type: 'string' } } })
  })
  t.strictSame(Object.keys((await app.inject('/typed')).json()), ['id', 'at'])
  t.strictSame(Object.keys((await app.inject({ url: '/mixed', headers: { 'x-status': '200' } })).json()), ['id', 'at'])
  t.strictSame((await app.inject({ url: '/mixed', headers: { 'x-status': '202' } })).json(), { name: 'x' })
  t.equal((await app.inject('/own')).body, '"own"')
})
