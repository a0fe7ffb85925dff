/** Every way in which an authenticator can fail or hang: the answer is uniform, prompt and closed. */

import createError from '@fastify/error'
import t from 'tap'
import type { Authenticator } from '../../src/index.ts'
import { TooManyRequests, Unavailable } from '../support/authenticator-errors.ts'
import { echoRoute, securedApp } from '../support/guarded-app.ts'
import { ERROR, logLines, WARN } from '../support/log-lines.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { aToken } from '../support/tokens.ts'

const good: Authenticator = {
  supports: () => true,
  createToken: () => 'credential',
  authenticate: () => aToken(),
  challenge: () => 'Test'
}
const boom = () => {
  throw new Error('boom')
}
const reject = () => Promise.reject(new Error('boom'))

async function app(given: object, clock = new ManualClock(), zone: string[] = ['test']) {
  const { lines, logger } = logLines()
  const records: Array<Record<string, unknown>> = []
  const authenticator = { carrier: 'header', ...good, ...given } as Authenticator
  const fastify = await securedApp(
    {
      areas: { all: { pattern: '^/', authenticators: zone } },
      parts: { clock, authenticators: { test: authenticator } }
    },
    { logger }
  )
  fastify.decorate('audit', {
    record: (event) => void records.push({ ...event }),
    subscribe: () => () => {},
    recent: () => [],
    flushed: async () => undefined
  })
  echoRoute(fastify, '/x')
  return { fastify, lines, records, clock }
}

type Row = [title: string, given: object, status: number]

const failing: Row[] = [
  ['supports throws', { supports: boom }, 401],
  ['supports rejects', { supports: reject }, 401],
  ['createToken throws', { createToken: boom }, 401],
  ['createToken rejects', { createToken: reject }, 401],
  ['authenticate throws', { authenticate: boom }, 401],
  ['authenticate rejects', { authenticate: reject }, 401],
  ['authenticate rejects with nothing', { authenticate: () => Promise.reject(undefined) }, 401],
  [
    'authenticate throws a 500',
    {
      authenticate: () => {
        throw Object.assign(new Error('db'), { statusCode: 500 })
      }
    },
    401
  ],
  [
    'authenticate throws a 200',
    {
      authenticate: () => {
        throw Object.assign(new Error('x'), { statusCode: 200 })
      }
    },
    401
  ],
  [
    'authenticate throws a hostile object',
    {
      authenticate: () => {
        return Promise.reject({
          get statusCode() {
            throw new Error('x')
          }
        })
      }
    },
    401
  ],
  ['onSuccess throws', { onSuccess: boom }, 401],
  ['onSuccess rejects', { onSuccess: reject }, 401],
  ['onFailure throws', { authenticate: boom, onFailure: boom }, 401],
  ['onFailure rejects', { authenticate: boom, onFailure: reject }, 401],
  ['onFailure never settles', { authenticate: boom, onFailure: () => new Promise(() => {}) }, 401],
  ['a token without identifier', { authenticate: () => ({ type: 'jwt', user: {} }) }, 401],
  ['an empty identifier', { authenticate: () => ({ type: 'jwt', user: { identifier: '' } }) }, 401],
  ['null', { authenticate: () => null }, 401],
  ['undefined', { authenticate: () => undefined }, 401],
  ['true', { authenticate: () => true }, 401],
  ['an unauthenticated token', { authenticate: () => ({ type: 'anonymous', user: { identifier: 'root' } }) }, 401],
  ['a challenge that throws', { authenticate: boom, challenge: boom }, 401],
  ['a challenge with a line break', { authenticate: boom, challenge: () => 'a\r\nset-cookie: x' }, 401],
  [
    '429',
    {
      authenticate: () => {
        throw new TooManyRequests(30)
      }
    },
    429
  ],
  ['429, rejected', { authenticate: () => Promise.reject(new TooManyRequests(30)) }, 429],
  [
    '503',
    {
      authenticate: () => {
        throw new Unavailable('120')
      }
    },
    503
  ],
  [
    '429 as a plain object',
    {
      authenticate: () => {
        return Promise.reject({ statusCode: 429, retryAfter: 1.2 })
      }
    },
    429
  ]
]

for (const [title, given, status] of failing) {
  t.test(`${title}: ${status}, also where anonymous would be next`, async (t) => {
    for (const zone of [['test'], ['test', 'anonymous']]) {
      const anonymousProof = title === 'an unauthenticated token' && zone.length > 1
      const { fastify, records } = await app(given, new ManualClock(), zone)
      const answer = await fastify.inject('/x')
      t.equal(answer.statusCode, anonymousProof ? 200 : status)
      t.equal(answer.headers['set-cookie'], undefined)
      if (!anonymousProof) {
        t.match(records, [
          {
            category: 'auth',
            action: status === 429 ? 'auth.throttled' : 'auth.failure',
            outcome: 'failure',
            resource: 'all'
          }
        ])
      }
      await fastify.close()
    }
  })
}

const retries: Array<[title: string, error: object, header: string | undefined]> = [
  ['a number of seconds', new TooManyRequests(30), '30'],
  ['a header', new Unavailable('120'), '120'],
  ['a date', new Unavailable('Fri, 31 Dec 1999 23:59:59 GMT'), 'Fri, 31 Dec 1999 23:59:59 GMT'],
  ['a fraction, rounded up', { statusCode: 429, retryAfter: 1.2 }, '2'],
  ['not a number', { statusCode: 429, retryAfter: Number.NaN }, undefined],
  ['a line break', { statusCode: 429, retryAfter: '1\r\nx: y' }, undefined],
  ['nothing', { statusCode: 429 }, undefined]
]
for (const [title, error, header] of retries) {
  t.test(`Retry-After: ${title}`, async (t) => {
    const { fastify } = await app({ authenticate: () => Promise.reject(error) })
    t.teardown(() => fastify.close())
    const answer = await fastify.inject('/x')
    t.equal(answer.headers['retry-after'], header)
    t.equal(answer.headers['www-authenticate'], undefined)
  })
}

for (const step of ['supports', 'createToken', 'authenticate', 'onSuccess']) {
  t.test(`${step} that never settles: 503 at the deadline, connection freed`, async (t) => {
    const clock = new ManualClock()
    let start: () => void = () => {}
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    const { fastify, lines } = await app(
      {
        [step]: () => {
          start()
          return new Promise(() => {})
        }
      },
      clock
    )
    t.teardown(() => fastify.close())
    const answer = fastify.inject('/x')
    await started
    await new Promise(setImmediate)
    t.same(clock.armed, [5000])
    clock.ring()
    t.match(await answer, { statusCode: 503, payload: /SVC_SEC_UNAVAILABLE/ })
    t.ok(lines.some(({ level, msg, zone }) => level === ERROR && msg === 'authentication failed' && zone === 'all'))
  })
}

t.test('a challenge that throws is logged', async (t) => {
  const { fastify, lines } = await app({ authenticate: boom, challenge: boom })
  t.teardown(() => fastify.close())
  await fastify.inject('/x')
  t.ok(lines.some(({ msg }) => msg === 'the challenge of authenticator test failed'))
})

t.test('an error made to be answered keeps its code', async (t) => {
  const Locked = createError('APP_LOCKED', 'locked for a while', 429)
  const { fastify } = await app({ authenticate: () => Promise.reject(new Locked()) })
  t.teardown(() => fastify.close())
  t.match((await fastify.inject('/x')).json(), { statusCode: 429, code: 'APP_LOCKED', message: 'locked for a while' })
})

const outages: Array<[title: string, thrown: object, code: string]> = [
  [
    'an error of the application',
    Object.assign(new Error('10.0.0.7 is down'), { code: 'DOWN' }),
    'SVC_SEC_UNAVAILABLE'
  ],
  ['an error without a code', new Error('10.0.0.7'), 'SVC_SEC_UNAVAILABLE'],
  ['data with a code like ours', { code: 'SVC_DOWN', message: '10.0.0.7 is down' }, 'SVC_SEC_UNAVAILABLE'],
  ['one of ours', Object.assign(new Error('10.0.0.7 is down'), { code: 'SVC_DOWN' }), 'SVC_DOWN']
]
for (const [title, thrown, code] of outages) {
  t.test(`an outage has the code of the plugin that knows it, and its text in the log alone: ${title}`, async (t) => {
    const { fastify, lines } = await app({
      authenticate: () => Promise.reject(Object.assign(thrown, { statusCode: 503 }))
    })
    t.teardown(() => fastify.close())
    const answer = await fastify.inject('/x')
    t.match(answer.json(), { statusCode: 503, code })
    t.notMatch(answer.body, /10\.0\.0\.7/)
    t.match(JSON.stringify(lines), /10\.0\.0\.7/)
  })
}

t.test('a proof that comes after the deadline is ignored', async (t) => {
  let settle: (proof: unknown) => void = () => {}
  const late = new Promise((resolve) => {
    settle = resolve
  })
  const { fastify, clock } = await app({ authenticate: () => late })
  t.teardown(() => fastify.close())
  const answer = fastify.inject('/x')
  while (clock.armed.length === 0) await new Promise(setImmediate)
  clock.ring()
  settle(aToken())
  t.equal((await answer).statusCode, 503)
})

t.test('no timer is armed while everything answers at once, and none is left behind', async (t) => {
  let timers = 0
  class Counting extends ManualClock {
    override setTimeout(work: () => void, ms: number): object {
      timers += 1
      return super.setTimeout(work, ms)
    }
  }
  const { fastify } = await app({}, new Counting())
  t.teardown(() => fastify.close())
  t.equal((await fastify.inject('/x')).statusCode, 200)
  t.equal(timers, 0)
  const later = await app({ authenticate: async () => aToken() })
  t.teardown(() => later.fastify.close())
  t.equal((await later.fastify.inject('/x')).statusCode, 200)
  t.same(later.clock.armed, [])
})

t.test('onSuccess may take its time: the caller is let in after it', async (t) => {
  let welcome: () => void = () => {}
  const welcomed = new Promise<void>((resolve) => {
    welcome = resolve
  })
  const { fastify, clock } = await app({ onSuccess: () => welcomed })
  t.teardown(() => fastify.close())
  const answer = fastify.inject('/x')
  while (clock.armed.length === 0) await new Promise(setImmediate)
  welcome()
  t.match((await answer).json(), { who: 'alice', proof: 'session' })
})

t.test('each method is told what it needs', async (t) => {
  const calls: unknown[][] = []
  const note =
    (name: string, answer: unknown) =>
    (...given: unknown[]) => {
      calls.push([name, ...given])
      return answer
    }
  const token = aToken()
  const { fastify } = await app({
    supports: note('supports', true),
    createToken: note('createToken', 'credential'),
    authenticate: note('authenticate', token),
    onSuccess: note('onSuccess', undefined)
  })
  t.teardown(() => fastify.close())
  await fastify.inject({ url: '/x', headers: { 'x-a': '1' } })
  t.same(
    calls.map(([name]) => name),
    ['supports', 'createToken', 'authenticate', 'onSuccess']
  )
  t.match(calls[0]?.[1], { transport: 'http', zone: 'all', headers: { 'x-a': '1' } })
  t.equal(calls[2]?.[1], 'credential')
  t.match(calls[3]?.[2], { type: 'session', proof: { carrier: 'header' } }, 'the token as it was admitted')
})

t.test('onFailure is told the error; a declared refusal is quiet in the log, anything else is not', async (t) => {
  const errors: unknown[] = []
  const declared = Object.assign(new Error('expired'), { statusCode: 401 })
  const onFailure = (_ctx: unknown, error: unknown) => void errors.push(error)
  const quiet = await app({
    authenticate: () => {
      throw declared
    },
    onFailure
  })
  t.teardown(() => quiet.fastify.close())
  await quiet.fastify.inject('/x')
  t.same(errors, [declared])
  t.same(
    quiet.lines.filter(({ level }) => level >= WARN),
    []
  )
  const loud = await app({
    authenticate: () => {
      throw new TypeError('bug')
    }
  })
  t.teardown(() => loud.fastify.close())
  await loud.fastify.inject('/x')
  t.match(
    loud.lines.filter(({ level }) => level >= WARN),
    [{ authenticator: 'test', error: { type: 'TypeError', stack: String } }]
  )
})

t.test('a machine token keeps its scopes and attributes; an object that names its user will do', async (t) => {
  const proofs: object[] = [
    { type: 'apikey', user: { identifier: 'ci', roles: [] }, scopes: ['orders:read'], apiKeyId: 'k1' },
    new (class {
      type = 'apikey'
      scopes = ['orders:read']
      apiKeyId = 'k1'
      getUserIdentifier() {
        return 'ci'
      }
    })()
  ]
  for (const proof of proofs) {
    const { fastify } = await app({ authenticate: () => proof })
    fastify.get('/token', async ({ token }) => ({
      ...token,
      who: token?.getUserIdentifier(),
      frozen: Object.isFrozen(token)
    }))
    t.match((await fastify.inject('/token')).json(), {
      type: 'apikey',
      scopes: ['orders:read'],
      apiKeyId: 'k1',
      who: 'ci',
      frozen: true
    })
    await fastify.close()
  }
})
