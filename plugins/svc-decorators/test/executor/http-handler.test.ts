/** Answers over HTTP: values, nothing, streams, errors, and the ambient context. */

import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { fastify as createFastify } from 'fastify'
import { currentRequest, currentUser } from 'svc-kernel'
import t from 'tap'
import svcDecorators, {
  Ctx,
  CurrentUser,
  controller,
  Delete,
  Get,
  type HttpContext,
  IsGranted,
  Post
} from '../../src/index.ts'
import { grantByHeader } from '../support/grant.ts'

let initialized = 0

@controller('/answers')
class Answers {
  initialize(): void {
    initialized += 1
  }

  @Get('/object') object(): unknown {
    return { a: 1 }
  }

  @Get('/promise') async promise(): Promise<unknown> {
    return { a: 1 }
  }

  @Get('/text') text(): string {
    return 'a'
  }

  @Get('/bytes') bytes(): Buffer {
    return Buffer.from([1, 2])
  }

  @Get('/stream') stream(): Readable {
    return Readable.from(['a', 'b'])
  }

  @Get('/thenable') thenable(): object {
    return {
      // biome-ignore lint/suspicious/noThenProperty: a query that runs when awaited looks like this
      then: (done: (value: unknown) => void) => {
        done({ a: 1 })
      }
    }
  }

  @Get('/zero') zero(): number {
    return 0
  }

  @Delete('/nothing') nothing(): void {}

  @Delete('/nothing-later') async nothingLater(): Promise<void> {
    await turn()
  }

  @Post('/created') created(@Ctx() { reply }: HttpContext): unknown {
    reply.code(201).header('location', '/answers/1')
    return { id: 1 }
  }

  @Post('/accepted') async accepted(@Ctx() { reply }: HttpContext): Promise<void> {
    reply.code(202)
  }

  @Get('/sent') sent(@Ctx() { reply }: HttpContext): void {
    reply.send({ sent: true })
  }

  @Get('/later') later(@Ctx() { reply }: HttpContext): unknown {
    setImmediate(() => {
      reply.send({ later: true })
    })
    return reply
  }

  @Get('/error') error(): void {
    throw Object.assign(new Error('teapot'), { statusCode: 418, code: 'TEA' })
  }

  @Get('/rejected') async rejected(): Promise<void> {
    throw Object.assign(new Error('teapot'), { statusCode: 418, code: 'TEA' })
  }

  @Get('/context') async context(@CurrentUser() user: unknown): Promise<unknown> {
    await turn()
    return { user, same: currentUser(), url: currentRequest()?.url }
  }

  @Get('/guarded') @IsGranted('ROLE_A') guarded(@CurrentUser() user: unknown): unknown {
    return user
  }
}

t.test('over HTTP', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await grantByHeader(fastify as never)
  await fastify.register(svcDecorators, { controllers: [Answers] })

  const rows: Array<[method: 'GET' | 'POST' | 'DELETE', path: string, status: number, body: string]> = [
    ['GET', '/object', 200, '{"a":1}'],
    ['GET', '/promise', 200, '{"a":1}'],
    ['GET', '/text', 200, 'a'],
    ['GET', '/bytes', 200, '\u0001\u0002'],
    ['GET', '/stream', 200, 'ab'],
    ['GET', '/thenable', 200, '{"a":1}'],
    ['GET', '/zero', 200, '0'],
    ['DELETE', '/nothing', 204, ''],
    ['DELETE', '/nothing-later', 204, ''],
    ['POST', '/created', 201, '{"id":1}'],
    ['POST', '/accepted', 202, ''],
    ['GET', '/sent', 200, '{"sent":true}'],
    ['GET', '/later', 200, '{"later":true}'],
    ['GET', '/error', 418, '{"statusCode":418,"code":"TEA","error":"I\'m a Teapot","message":"teapot"}'],
    ['GET', '/rejected', 418, '{"statusCode":418,"code":"TEA","error":"I\'m a Teapot","message":"teapot"}']
  ]
  for (const [method, path, status, body] of rows) {
    const answer = await fastify.inject({ method, url: `/answers${path}` })
    t.strictSame([answer.statusCode, answer.body], [status, body], `${method} ${path}`)
  }
  const created = await fastify.inject({ method: 'POST', url: '/answers/created' })
  t.equal(created.headers.location, '/answers/1')
  const nothing = await fastify.inject({ method: 'DELETE', url: '/answers/nothing' })
  t.notOk(nothing.headers['content-type'])
  const head = await fastify.inject({ method: 'HEAD', url: '/answers/object' })
  t.strictSame([head.statusCode, head.body, head.headers['content-length']], [200, '', '7'])
})

t.test('identity and ambient context', async (t) => {
  const fastify = createFastify()
  t.teardown(() => fastify.close())
  await grantByHeader(fastify as never)
  await fastify.register(svcDecorators, { controllers: [Answers] })
  const ann = { identifier: 'ann', roles: ['ROLE_A'] }
  const asAnn = await fastify.inject({ url: '/answers/context', headers: { 'x-roles': 'ROLE_A' } })
  t.strictSame(asAnn.json(), { user: ann, same: ann, url: '/answers/context' })
  const nobody = { identifier: 'anonymous', roles: [] }
  t.strictSame((await fastify.inject('/answers/context')).json(), {
    user: nobody,
    same: nobody,
    url: '/answers/context'
  })

  const before = initialized
  t.equal((await fastify.inject('/answers/guarded')).statusCode, 403)
  t.equal(initialized, before, 'a refusal short-circuits initialize()')
  t.strictSame((await fastify.inject({ url: '/answers/guarded', headers: { 'x-roles': 'ROLE_A' } })).json(), ann)
})
