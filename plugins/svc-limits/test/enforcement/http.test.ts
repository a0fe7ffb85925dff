/** Limits of plain routes: what is counted together, the exact header fields, and what a refusal says. */
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import svcLimits from '../../src/index.ts'
import { limitedApp } from '../support/limited-app.ts'

const fields = (answer: { headers: Readonly<Record<string, unknown>> }) =>
  ['ratelimit-policy', 'ratelimit', 'retry-after', 'cache-control'].map((name) => answer.headers[name])

t.test('every answer says the limit and what remains; a refusal says when to come back', async (t) => {
  const { fastify, clock } = await limitedApp(t, (app) => {
    app.get('/', { config: { limits: { rate: '3/min', by: 'address' } } }, async () => 'ok')
  })
  const policy = '"GET / by address 3/60s";q=3;w=60'
  const item = (r: number, t: number) => `"GET / by address 3/60s";r=${r};t=${t}`
  t.strictSame(fields(await fastify.inject('/')), [policy, item(2, 20), undefined, undefined])
  clock.advance(1_500)
  t.strictSame(fields(await fastify.inject('/')), [policy, item(1, 39), undefined, undefined])
  t.strictSame(fields(await fastify.inject('/')), [policy, item(0, 59), undefined, undefined])
  const refused = await fastify.inject('/')
  t.equal(refused.statusCode, 429)
  t.strictSame(refused.json(), {
    statusCode: 429,
    code: 'SVC_LIMIT_EXCEEDED',
    error: 'Too Many Requests',
    message: 'too many requests; try again in 19 s'
  })
  t.strictSame(fields(refused), [policy, item(0, 59), '19', 'no-store'])
  clock.advance(18_499)
  t.equal((await fastify.inject('/')).statusCode, 429)
  clock.advance(1)
  t.equal((await fastify.inject('/')).statusCode, 200, 'exactly then')
})

t.test('a HEAD and both spellings of a path spend the budget of the route', async (t) => {
  const { fastify } = await limitedApp(t, (app) => {
    app.register(
      async (scope) => {
        scope.get('/', { config: { limits: { rate: '3/min', by: 'address' } } }, async () => 'ok')
      },
      { prefix: '/shop' }
    )
  })
  t.equal((await fastify.inject({ method: 'HEAD', url: '/shop' })).statusCode, 200)
  t.equal((await fastify.inject('/shop/')).statusCode, 200)
  t.equal((await fastify.inject('/shop')).statusCode, 200)
  t.equal((await fastify.inject('/shop/')).statusCode, 429)
})

t.test('burst: less at once than in a period', async (t) => {
  const { fastify, clock } = await limitedApp(t, (app) => {
    app.get('/', { config: { limits: { rate: { count: 60, perS: 60 }, burst: 2, by: 'address' } } }, async () => 'ok')
  })
  const statuses = async () => [(await fastify.inject('/')).statusCode, (await fastify.inject('/')).statusCode]
  t.strictSame(await statuses(), [200, 200])
  t.strictSame(await statuses(), [429, 429])
  clock.advance(1_000)
  t.strictSame(await statuses(), [200, 429])
})

t.test('callers: networks, identities, keys, and what a function says', async (t) => {
  const seen = (key: 'address' | 'identity' | 'key') => (app: FastifyInstance) => {
    app.addHook('onRequest', async (request) => {
      const { user, apikey } = request.headers
      if (typeof user === 'string') request.user = { identifier: user, roles: [] }
      if (typeof apikey === 'string') request.token = { type: 'apikey', apiKeyId: apikey } as never
    })
    app.get('/', { config: { limits: { rate: '1/min', by: key } } }, async () => 'ok')
  }
  const one = { remoteAddress: '2001:db8:0:1::1' }
  const neighbour = { remoteAddress: '2001:db8:0:1:ffff::2' }
  const other = { remoteAddress: '2001:db8:0:2::1' }
  const ada = { user: 'ada' }
  type Call = readonly [from: { remoteAddress: string }, headers: Record<string, string>, status: number]
  const calls: Record<'address' | 'identity' | 'key', readonly Call[]> = {
    address: [
      [one, {}, 200],
      [neighbour, ada, 429],
      [other, ada, 200]
    ],
    identity: [
      [one, ada, 200],
      [other, ada, 429],
      [one, {}, 200],
      [neighbour, {}, 429],
      [one, { user: 'bob' }, 200],
      [one, { user: `${'long '.repeat(60)}` }, 200],
      [other, { user: `${'long '.repeat(60)}` }, 429]
    ],
    key: [
      [one, { ...ada, apikey: 'k1' }, 200],
      [one, { ...ada, apikey: 'k2' }, 200],
      [other, { ...ada, apikey: 'k1' }, 429],
      [one, ada, 200],
      [other, ada, 429],
      [one, {}, 200],
      [neighbour, {}, 429]
    ]
  }
  for (const by of ['address', 'identity', 'key'] as const) {
    await t.test(by, async (t) => {
      const { fastify } = await limitedApp(t, seen(by))
      for (const [from, headers, status] of calls[by]) {
        const answer = await fastify.inject({ url: '/', headers, ...from })
        t.equal(answer.statusCode, status, JSON.stringify([from.remoteAddress, headers]))
      }
    })
  }
  await t.test('a function', async (t) => {
    const { fastify } = await limitedApp(t, (app) => {
      const by = (request: { headers: object }) => (request.headers as { tenant: string }).tenant
      app.get('/', { config: { limits: { rate: '1/min', by } } }, async () => 'ok')
    })
    const status = async (headers: Record<string, string>) => (await fastify.inject({ url: '/', headers })).statusCode
    t.equal(await status({ tenant: 'a' }), 200)
    t.equal(await status({ tenant: 'b' }), 200)
    t.equal(await status({ tenant: 'a' }), 429)
    t.equal(await status({}), 500, 'no key is no free pass')
  })
})

t.test('several limits all count; where one refuses, the others are not spent', async (t) => {
  const { fastify, clock } = await limitedApp(t, (app) => {
    const limits = [
      { rate: '10/hour', by: () => 'k', name: 'slow' },
      { rate: '2/s', by: () => 'k', name: 'fast' }
    ]
    app.get('/', { config: { limits } }, async () => 'ok')
  })
  const first = await fastify.inject('/')
  t.equal(first.headers['ratelimit-policy'], '"slow";q=10;w=3600, "fast";q=2;w=1')
  t.equal(first.headers.ratelimit, '"slow";r=9;t=360, "fast";r=1;t=1')
  await fastify.inject('/')
  const refused = await fastify.inject('/')
  t.equal(refused.statusCode, 429)
  t.equal(refused.headers.ratelimit, '"fast";r=0;t=1')
  t.equal(refused.headers['retry-after'], '1')
  clock.advance(1_000)
  t.equal((await fastify.inject('/')).headers.ratelimit, '"slow";r=7;t=1079, "fast";r=1;t=1')
})

t.test('routes share the budget of a name, and an application spends it too', async (t) => {
  const { fastify } = await limitedApp(
    t,
    (app) => {
      const limits = { rate: '3/min', by: () => 'tenant 1', name: 'mail' }
      app.post('/a', { config: { limits } }, async () => 'ok')
      app.post('/b', { config: { limits } }, async () => 'ok')
    },
    { limits: { mail: { rate: '3/min' } } }
  )
  t.equal((await fastify.inject({ method: 'POST', url: '/a' })).statusCode, 200)
  t.equal((await fastify.inject({ method: 'POST', url: '/b' })).statusCode, 200)
  t.match(await fastify.limits.take('mail', 'tenant 1'), { taken: true, remaining: 0 })
  t.equal((await fastify.inject({ method: 'POST', url: '/a' })).statusCode, 429)
})

t.test('a route without limits has no hook more', async (t) => {
  const hooks: unknown[] = []
  await limitedApp(t, (app) => {
    app.addHook('onRoute', ({ url, onRequest, preParsing }) => {
      if (url === '/free') hooks.push(onRequest, preParsing)
    })
    app.get('/free', async () => 'ok')
    app.get('/none', { config: { limits: [] } }, async () => 'ok')
  })
  t.strictSame(hooks, [undefined, undefined, undefined, undefined])
})

t.test('the limit is decided before the body is read', async (t) => {
  const { fastify } = await limitedApp(t, (app) => {
    app.post('/', { config: { limits: { rate: '1/min', by: 'identity' } } }, async () => 'ok')
  })
  const broken = { method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, body: '{' } as const
  t.equal((await fastify.inject(broken)).statusCode, 400)
  t.equal((await fastify.inject(broken)).statusCode, 429)
})

t.test('mistakes end the boot, all at once, each with its place and its fix', async (t) => {
  const fastify = Fastify()
  await fastify.register(svcLimits, { limits: { shared: { rate: '5/min' } } })
  const limits = [
    { rate: '5/parsec', by: 'address' },
    { rate: '5/min', by: 'adress' },
    { rate: '5/min', by: 'address', burst: 0 },
    { rate: '5/min', by: 'address', brust: 1 },
    { rate: '5/min', by: 'address', name: 'a\nb' },
    { rate: '5/min', by: 'address', onOutage: 'open' },
    { rate: '6/min', by: 'address', name: 'shared' },
    7
  ]
  fastify.get('/', { config: { limits: limits as never } }, async () => 'ok')
  const failure = (await fastify.ready().then(
    () => null,
    (error: unknown) => error
  )) as { problems: { code: string; fix: string }[] }
  const expected = ['RATE', 'OPTION', 'OPTION', 'OPTION', 'OPTION', 'OPTION', 'NAME', 'OPTION']
  // The HEAD of the route has the same ones.
  t.strictSame(
    failure.problems.slice(0, 8).map(({ code }) => code),
    expected.map((code) => `SVC_LIMIT_${code}`)
  )
  for (const problem of failure.problems) t.match(problem.fix, /./)
})

t.test('an option that is no rate ends the boot', async (t) => {
  const fastify = Fastify()
  fastify.register(svcLimits, { limits: { mail: { rate: 'often' } } })
  await t.rejects(async () => fastify.ready(), { code: 'SVC_LIMIT_RATE' })
})
