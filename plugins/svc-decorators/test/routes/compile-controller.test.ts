/** Compiled routes on a bare Fastify: they run, and their guards are closed. */

import type { FastifyInstance } from 'fastify'
import { fastify as createFastify } from 'fastify'
import { ensureKernel } from 'svc-kernel'
import t, { type Test } from 'tap'
import {
  Body,
  CurrentUser,
  compileController,
  controller,
  Get,
  Headers,
  IsGranted,
  Param,
  Post,
  Query,
  route,
  WebSocket
} from '../../src/index.ts'
import { grantByHeader } from '../support/grant.ts'

let made = 0

@controller('/api')
class Hello {
  constructor() {
    made += 1
  }

  @Get('/hello/:name')
  hello(
    @Param('name') name: string,
    @Query('q') q: string,
    @Headers('X-Thing') thing: string,
    @CurrentUser() user: unknown
  ): unknown {
    return { name, q, thing, user }
  }

  @Get('/all/:a/:b')
  all(@Param() params: unknown, @Query() query: unknown, @Headers() headers: Record<string, unknown>): unknown {
    return { params, query, host: headers.host }
  }

  @Post('/body', {
    schema: { body: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } } }
  })
  body(@Body() body: unknown): unknown {
    return body
  }

  @IsGranted('ROLE_A')
  @route('secret', {
    path: '/secret/:id',
    methods: ['GET', 'POST', 'OPTIONS'],
    schema: { body: { type: 'object', required: ['x'] } }
  })
  secret(): unknown {
    return { secret: true }
  }

  @WebSocket('/ws')
  socket(): void {}
}

async function bare(t: Test): Promise<FastifyInstance> {
  const fastify = createFastify() as unknown as FastifyInstance
  t.teardown(() => fastify.close())
  return fastify
}

t.test('plain options: method, url, config, hooks', async (t) => {
  const routes = compileController(Hello)
  t.match(
    routes.map(({ method, url }) => `${method} ${url}`),
    [
      'GET /api/hello/:name',
      'GET /api/all/:a/:b',
      'POST /api/body',
      'GET /api/secret/:id',
      'POST /api/secret/:id',
      'OPTIONS /api/secret/:id',
      'GET /api/ws'
    ]
  )
  const [hello, , , secret] = routes
  t.match(hello?.config.svc, {
    name: 'Hello.hello',
    requirement: null,
    anonymous: false,
    bypassFirewall: false,
    transports: ['HTTP'],
    source: /:\d+$/
  })
  t.match(secret?.config.svc, { name: 'secret', requirement: [[{ attribute: 'ROLE_A' }]] })
  t.notOk(hello?.preParsing)
  t.match(secret?.preHandler, [Function])
  t.match(routes.at(-1)?.config.svc.transports, ['WEBSOCKET'])
})

t.test('injected arguments', async (t) => {
  const fastify = await bare(t)
  for (const each of compileController(Hello)) fastify.route(each)
  const hello = await fastify.inject({ url: '/api/hello/a%2Fb?q=1', headers: { 'x-thing': 'y' } })
  t.strictSame(hello.json(), { name: 'a/b', q: '1', thing: 'y', user: { identifier: 'anonymous', roles: [] } })
  const all = await fastify.inject('/api/all/1/2?x=y')
  t.strictSame(all.json(), { params: { a: '1', b: '2' }, query: { x: 'y' }, host: 'localhost:80' })
  t.strictSame((await fastify.inject({ method: 'POST', url: '/api/body', payload: { title: 'x' } })).json(), {
    title: 'x'
  })
  t.equal((await fastify.inject({ method: 'POST', url: '/api/body', payload: {} })).statusCode, 400)
})

t.test(
  'without a kernel and an engine a guarded route is closed, before its body is judged, on every method',
  async (t) => {
    const fastify = await bare(t)
    for (const each of compileController(Hello)) fastify.route(each)
    const before = made
    for (const [method, payload] of [['GET'], ['HEAD'], ['POST', {}], ['POST', { x: 1 }], ['OPTIONS']] as const) {
      const answer = await fastify.inject({
        method,
        url: '/api/secret/1',
        ...(payload === undefined ? {} : { payload })
      })
      t.equal(answer.statusCode, 403, method)
      if (method !== 'HEAD') t.match(answer.json(), { code: 'SVC_SEC_DENIED' })
    }
    t.equal(made, before, 'no controller was made')
  }
)

t.test('with an engine the guard decides, and HEAD and OPTIONS carry it', async (t) => {
  const fastify = await bare(t)
  await grantByHeader(fastify)
  for (const each of compileController(Hello)) fastify.route(each)
  for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
    t.equal(
      (await fastify.inject({ method, url: '/api/secret/1', headers: { 'x-roles': 'ROLE_B' } })).statusCode,
      403,
      method
    )
    t.equal(
      (await fastify.inject({ method, url: '/api/secret/1', headers: { 'x-roles': 'ROLE_A' }, payload: { x: 1 } }))
        .statusCode,
      200,
      method
    )
  }
})

t.test('the guard travels with the route into a child, declared before the kernel', async (t) => {
  const fastify = await bare(t)
  fastify.register(async (child) => {
    for (const each of compileController(Hello, { prefix: '/child' })) child.route(each)
  })
  await ensureKernel(fastify)
  t.equal((await fastify.inject('/child/api/secret/1')).statusCode, 403)
})

t.test('a WEBSOCKET route without @fastify/websocket answers 426', async (t) => {
  const fastify = await bare(t)
  for (const each of compileController(Hello)) fastify.route(each)
  const answer = await fastify.inject('/api/ws')
  t.equal(answer.statusCode, 426)
  t.match(answer.headers, { upgrade: 'websocket', connection: 'upgrade' })
  t.match(answer.json(), {
    statusCode: 426,
    code: 'SVC_WS_UPGRADE_REQUIRED',
    error: 'Upgrade Required',
    message: /\/api\/ws is a WebSocket route.*wscat/
  })
})

t.test('all mistakes of the class in one error', async (t) => {
  @controller('/x')
  class Wrong {
    @Get('/a') @IsGranted([]) a(): void {}

    @Get('/a') b(): void {}
  }
  t.throws(() => compileController(Wrong), {
    name: 'BootError',
    problems: [{ code: 'SVC_GUARD_EMPTY' }, { code: 'SVC_ROUTE_DUPLICATE' }]
  })
})
