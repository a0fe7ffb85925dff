/** Area `zone`: what a zone declares, whom it lets in, and what happens when its authenticators misbehave. */
import { controller, Get, IsGranted } from 'svc-decorators'
import { BootError, createAccessToken, currentUser, type Problem } from 'svc-kernel'
import { type Area, type Authenticator, registerAuthenticatorFactory, type SvcSecurityParts } from 'svc-security'
import { ManualClock } from 'svc-stores/conformance'
import type { Test } from 'tap'
import { WARN } from '../../support/log-lines.ts'
import { bearer, cookie, PlainCredential } from '../../support/plain-credential.ts'
import { RawConnection, rawExchange, rawRequest } from '../../support/raw-http.ts'
import { RawWebSocket } from '../../support/raw-websocket.ts'
import { startApp } from '../../support/start-app.ts'
import { until } from '../../support/until.ts'
import { securityCase } from './security-case.ts'
import { TalkController } from './talk-controller.ts'

@controller('/api')
class Api {
  @Get('/me')
  me(): unknown {
    return { who: currentUser().identifier }
  }

  @Get('/admin/x')
  admin(): unknown {
    return { who: currentUser().identifier }
  }

  @Get('/secret')
  @IsGranted('ROLE_USER')
  secret(): unknown {
    return { who: currentUser().identifier }
  }
}

const authenticators = { bearer: PlainCredential.bearer(), cookie: PlainCredential.cookie() }

async function appWith(t: Test, areas: Record<string, Area>, parts: SvcSecurityParts = {}) {
  const started = await startApp(t, {
    security: { areas, parts: { authenticators, ...parts } },
    controllers: [Api, TalkController]
  })
  const ask = (target: string, headers = {}) => rawExchange(started.port, rawRequest('GET', target, headers))
  return { ...started, ask }
}

/** One zone `^/api` with one authenticator, under test. */
function appWithOne(t: Test, authenticator: Partial<Authenticator>, parts: SvcSecurityParts = {}) {
  const whole: Authenticator = {
    supports: () => true,
    createToken: () => 'credential',
    authenticate: () => createAccessToken({ type: 'apikey', user: { identifier: 'alice' } }),
    ...authenticator
  }
  const zone = { api: { pattern: '^/api', authenticators: ['tested'] } }
  return appWith(t, zone, { ...parts, authenticators: { tested: whole } })
}

async function bootProblems(t: Test, area: object): Promise<readonly Problem[]> {
  try {
    await appWith(t, { shop: area as Area })
  } catch (error) {
    if (error instanceof BootError) return error.problems
    throw error
  }
  return []
}

securityCase('ZON-05', async (t) => {
  const rows: Array<[area: object, at: string]> = [
    [{ pattern: '(', authenticators: ['bearer'] }, 'svc-security.areas.shop.pattern'],
    [{ pattern: '^/', authenticators: ['bearer', 'baerer'] }, 'svc-security.areas.shop.authenticators[1]'],
    [{ pattern: '^/', authenticators: ['bearer'], mode: 'any' }, 'svc-security.areas.shop.mode'],
    [{ pattern: '^/', authenticators: [] }, 'svc-security.areas.shop.authenticators'],
    [{ pattern: '^/' }, 'svc-security.areas.shop.authenticators'],
    [{ pattern: '^/', authenticators: ['bearer'], patern: '^/x' }, 'svc-security.areas.shop.patern']
  ]
  for (const [area, at] of rows) {
    const problems = await bootProblems(t, area)
    t.strictSame(
      problems.map((problem) => problem.at?.replace(/^.* /, '')),
      [at],
      JSON.stringify(area)
    )
  }
})

securityCase(
  'ZON-06',
  async (t) => {
    const { ask, lines } = await appWith(t, {
      api: { pattern: '^/api(/|$)', authenticators: ['bearer', 'anonymous'] },
      admin: { pattern: '^/api/admin(/|$)', authenticators: ['bearer'] }
    })
    t.equal((await ask('/api/admin/x')).status, 200)
    const [lint] = lines.filter(({ code }) => code === 'SVC_ZONE_UNREACHABLE')
    t.match(lint, {
      level: WARN,
      at: 'svc-security.areas.admin',
      msg: /areas\.api .* comes first and matches them all/
    })
    const { ask: askOther } = await appWith(t, {
      admin: { pattern: '^/api/admin(/|$)', authenticators: ['bearer'] },
      api: { pattern: '^/api(/|$)', authenticators: ['bearer', 'anonymous'] }
    })
    t.equal((await askOther('/api/admin/x')).status, 401)
  },
  'the zone declared first wins, and a lint says that the second holds no route'
)

securityCase('ZON-07', async (t) => {
  const { ask } = await appWith(t, { shop: { pattern: '^/shop', authenticators: ['bearer'] } })
  const answer = await ask('/api/me', bearer('alice'))
  t.equal(answer.status, 200)
  t.same(JSON.parse(answer.body), { who: 'anonymous' }, 'nobody looked at the credential')
})

securityCase('ZON-08', async (t) => {
  const { ask, lines } = await appWith(t, { shop: { pattern: '^/shop', authenticators: ['bearer'] } })
  t.equal((await ask('/api/secret')).status, 403)
  t.equal((await ask('/api/secret', bearer('alice/ROLE_USER'))).status, 403)
  const warnings = lines.filter(({ code }) => code === 'SVC_GUARD_NO_ZONE')
  t.match(
    warnings.find(({ msg }) => msg.startsWith('GET /api/secret is guarded')),
    { level: WARN, at: /zone\.test/ }
  )
})

securityCase('ZON-11', async (t) => {
  const { ask } = await appWith(t, { api: { pattern: '^/api', authenticators: ['bearer', 'anonymous'] } })
  t.equal((await ask('/api/me')).status, 200)
  const refused = await ask('/api/me', bearer('!'))
  t.equal(refused.status, 401)
  t.equal(refused.headers['www-authenticate'], 'Bearer')
  const twice = await ask('/api/me', { authorization: ['Bearer alice', 'Bearer bob'] })
  t.equal(twice.status, 401, 'two headers are ambiguous, which is no reason to be anonymous')
})

securityCase('ZON-12', async (t) => {
  const { ask } = await appWith(t, { api: { pattern: '^/api', authenticators: ['cookie', 'bearer'], mode: 'all' } })
  t.equal((await ask('/api/me', bearer('alice'))).status, 401)
  t.equal((await ask('/api/me', cookie('alice'))).status, 401)
  t.equal((await ask('/api/me', { ...cookie('alice'), ...bearer('bob') })).status, 401, 'two subjects')
  t.equal((await ask('/api/me', { ...cookie('alice'), ...bearer('!') })).status, 401)
  t.equal((await ask('/api/me', { ...cookie('alice'), ...bearer('alice') })).status, 200)
})

securityCase(
  'ZON-16',
  async (t) => {
    const clock = new ManualClock()
    const never = new Promise<never>(() => undefined)
    const supports = ({ headers }: { headers: object }) => 'authorization' in headers
    const hanging = { pattern: '^/api', authenticators: ['hanging', 'anonymous'] }
    const { port } = await appWith(
      t,
      { api: hanging },
      { clock, authenticators: { hanging: { supports, createToken: () => '', authenticate: () => never } } }
    )
    const connection = await RawConnection.open(port)
    const keep = { connection: 'keep-alive' }
    const pending = connection.exchange(rawRequest('GET', '/api/me', { ...keep, ...bearer('alice') }))
    await until(() => clock.pending > 0, 'a timer')
    clock.advance(60_000)
    const answer = await pending
    t.equal(answer.status, 503)
    t.match(JSON.parse(answer.body), { statusCode: 503, error: 'Service Unavailable' })
    const next = await connection.exchange(rawRequest('GET', '/api/me', keep))
    t.equal(next.status, 200, 'the connection serves the next request')
    connection.close()
  },
  '503 after authenticatorTimeoutMs; the connection is free again'
)

securityCase(
  'ZON-17',
  async (t) => {
    for (const onSuccess of [
      () => {
        throw new Error('no room for it')
      },
      () => Promise.reject(new Error('no room for it'))
    ]) {
      const { ask, records } = await appWithOne(t, { onSuccess })
      t.equal((await ask('/api/me')).status, 401)
      t.match(records, [{ category: 'auth', action: 'auth.failure', outcome: 'failure', reason: 'no room for it' }])
    }
  },
  'refused with 401, and audited'
)

securityCase('ZON-18', async (t) => {
  const authenticate = () => {
    throw Object.assign(new Error('wrong'), { statusCode: 401 })
  }
  for (const onFailure of [
    () => {
      throw new Error('the journal is full')
    },
    () => Promise.reject(new Error('the journal is full')),
    () => new Promise<never>(() => undefined)
  ]) {
    const { ask, records } = await appWithOne(t, { authenticate, onFailure })
    t.equal((await ask('/api/me')).status, 401)
    t.equal(records.length, 1)
  }
})

securityCase('ZON-19', async (t) => {
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no')
      },
      ownKeys: () => {
        throw new Error('no')
      }
    }
  )
  const nobodies: unknown[] = [
    undefined,
    null,
    'alice',
    {},
    { type: 'session', user: {} },
    { type: 'session', user: { identifier: '' } },
    { type: 'session', user: { identifier: 7 } },
    { type: 'session', getUserIdentifier: () => '' },
    { type: 'anonymous', user: { identifier: 'alice' } },
    { type: 'session', user: { identifier: 'alice' }, getUserIdentifier: () => 'bob' },
    hostile
  ]
  for (const [index, token] of nobodies.entries()) {
    const { ask } = await appWithOne(t, { authenticate: () => token as never })
    t.equal((await ask('/api/me')).status, 401, `row ${index}`)
  }
})

securityCase('ZON-20', async (t) => {
  const make = () => authenticators.bearer
  registerAuthenticatorFactory('late-bearer', make)
  t.throws(() => registerAuthenticatorFactory('late-bearer', make), { code: 'SVC_KERNEL_DUPLICATE_NAME' })
  const { ask } = await appWith(t, { api: { pattern: '^/api', authenticators: ['late-bearer'] } })
  t.equal((await ask('/api/me', bearer('alice'))).status, 200)
  t.throws(() => registerAuthenticatorFactory('later-bearer', make), { code: 'SVC_KERNEL_REGISTRY_SEALED' })
})

securityCase(
  'ZON-21',
  async (t) => {
    t.throws(() => registerAuthenticatorFactory('anonymous', () => authenticators.bearer), {
      code: 'SVC_KERNEL_DUPLICATE_NAME'
    })
    const parts = { authenticators: { anonymous: authenticators.bearer } }
    await t.rejects(appWith(t, { api: { pattern: '^/api', authenticators: ['anonymous'] } }, parts), {
      code: 'SVC_SEC_AUTHENTICATOR_TAKEN'
    })
  },
  'the registration throws at module load; as a live part it aborts the boot'
)

securityCase(
  'ZON-22',
  async (t) => {
    for (const [realtime, plain, guarded] of [
      [false, 'anonymous', 403],
      [true, 'alice', 101]
    ] as const) {
      const { port } = await appWith(t, { talk: { pattern: '^/talk', authenticators: ['bearer'], realtime } })
      t.equal((await RawWebSocket.open(t, port, '/talk/who')).answer.status, 401, 'proof is asked for all the same')
      const { socket } = await RawWebSocket.open(t, port, '/talk/who', bearer('alice/ROLE_USER'))
      socket.sendText('')
      t.same(await socket.nextJson(), { who: plain })
      const { answer } = await RawWebSocket.open(t, port, '/talk/guarded', bearer('alice/ROLE_USER'))
      t.equal(answer.status, guarded, `guarded, realtime ${realtime}`)
    }
  },
  'the identity stays outside, so a guarded route refuses the upgrade with 403'
)
