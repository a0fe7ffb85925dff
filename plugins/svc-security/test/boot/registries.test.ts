/** Factories: registered at module load, built once per application, closed while one is open. */
import { renewRegistries } from 'svc-kernel/plugin'
import t from 'tap'
import { type Jury, registerAuthenticatorFactory, registerVoterFactory } from '../../src/index.ts'
import { echoRoute, securedApp } from '../support/guarded-app.ts'
import { aToken, HeaderAuthenticator } from '../support/tokens.ts'

const grants = { supports: (attribute: string) => attribute === 'verb', vote: () => 'GRANT' as const }

t.beforeEach(() => void renewRegistries())

t.test('a registered authenticator is built with container and config, only where a zone lists it', async (t) => {
  const built: unknown[] = []
  registerAuthenticatorFactory('badge', (parts) => {
    built.push(parts)
    return new HeaderAuthenticator('badge')
  })
  registerAuthenticatorFactory('unused', (parts) => {
    built.push(parts)
    return new HeaderAuthenticator('unused')
  })
  const areas = { a: { pattern: '^/a', authenticators: ['badge'] }, b: { pattern: '^/b', authenticators: ['badge'] } }
  const app = await securedApp({ areas })
  echoRoute(app, '/a')
  t.teardown(() => app.close())
  t.equal((await app.inject({ url: '/a', headers: { 'x-badge': 'alice' } })).json().who, 'alice')
  t.equal(built.length, 1)
  const [{ container, config }] = built as [{ container: unknown; config: object }]
  t.equal(container, app)
  t.match(config, { areas: { a: { mode: 'first', realtime: true } }, jury: { voterTimeoutMs: 1000 } })
  t.ok(Object.isFrozen(config))
})

t.test('voters sit in order: built-in, registered, parts', async (t) => {
  registerVoterFactory('second', () => grants)
  registerVoterFactory('first', () => grants)
  const app = await securedApp({ parts: { voters: [{ ...grants, name: 'part' }, grants] } })
  await app.ready()
  t.teardown(() => app.close())
  t.same(
    (app.jury as Jury).voters.map(({ name }) => name),
    ['role', 'scope', 'proof', 'second', 'first', 'part', 'parts.voters[1]']
  )
  t.equal(app.jury.decide(aToken(), 'verb'), true)
})

t.test('the factory of a voter gets the container', async (t) => {
  const containers: unknown[] = []
  registerVoterFactory('asking', ({ container }) => {
    containers.push(container)
    return grants
  })
  const app = await securedApp({})
  await app.ready()
  t.teardown(() => app.close())
  t.strictSame(containers, [app])
})

t.test('a voter may be registered after the plugin, by a file that loads during boot', async (t) => {
  const app = await securedApp({})
  registerVoterFactory('late', () => grants)
  await app.ready()
  t.teardown(() => app.close())
  t.equal(app.jury.decide(aToken(), 'verb'), true)
})

t.test('a name is taken once, by a built-in too', async (t) => {
  registerVoterFactory('mine', () => grants)
  const taken = { code: 'SVC_KERNEL_DUPLICATE_NAME' }
  for (const name of ['mine', 'role', 'scope', 'proof'])
    t.throws(() => registerVoterFactory(name, () => grants), taken, name)
  t.throws(() => registerAuthenticatorFactory('anonymous', () => new HeaderAuthenticator('x')), taken)
})

t.test('after boot nothing is registered, until the application closes', async (t) => {
  const app = await securedApp({})
  await app.ready()
  const sealed = { code: 'SVC_KERNEL_REGISTRY_SEALED' }
  t.throws(() => registerVoterFactory('late', () => grants), sealed)
  t.throws(() => registerAuthenticatorFactory('late', () => new HeaderAuthenticator('x')), sealed)
  await app.close()
  registerVoterFactory('late', () => grants)
  t.pass('open again')
})

t.test('a factory that throws is a problem of the boot, not a crash', async (t) => {
  registerVoterFactory('broken', () => {
    throw new Error('no database')
  })
  const app = await securedApp({})
  t.teardown(() => app.close())
  const error = await app.ready().then(
    () => null,
    (thrown: unknown) => thrown
  )
  t.match(error, {
    problems: [{ code: 'SVC_SEC_FACTORY', message: 'the voter "broken" cannot be built', got: 'Error: no database' }]
  })
})

t.test('a reload builds anew: no voter twice, no zone left over', async (t) => {
  for (const [round, pattern] of [
    [1, '^/old'],
    [2, '^/new']
  ] as const) {
    renewRegistries()
    registerVoterFactory('mine', () => grants)
    const app = await securedApp({ areas: { z: { pattern, authenticators: ['anonymous'] } } })
    await app.ready()
    t.same(
      (app.jury as Jury).voters.map(({ name }) => name),
      ['role', 'scope', 'proof', 'mine']
    )
    t.equal(app.firewall.zoneOf('/old')?.name, round === 1 ? 'z' : undefined)
    await app.close()
  }
})
