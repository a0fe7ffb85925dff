/** When tokens are on, where their keys come from, and what is left behind when the application closes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { AppHost, BootError, Mode } from 'svc-kernel'
import svcStores from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { newStoredKey } from '../../src/host.ts'
import svcSecurity, { type SvcSecurityOptions } from '../../src/index.ts'
import { someAccounts } from '../support/accounts.ts'
import { logLines, WARN } from '../support/log-lines.ts'
import { causeOf } from '../support/token-world.ts'

const jwtZone = { areas: { api: { pattern: '^/', authenticators: ['jwt'] } } }
const keySetJson = JSON.stringify({ keys: [newStoredKey(0)] })

/** An application in a mode, as the module loader would say it; `null`: without the loader. */
async function boot(mode: Mode | null, options: SvcSecurityOptions, stores: object = {}) {
  const { lines, logger } = logLines('debug')
  const app = Fastify({ logger })
  const clock = new ManualClock()
  if (mode !== null)
    app.decorate('appHost', {
      name: 'app',
      root: '/',
      mode,
      checkOnly: false,
      importModule: async () => ({})
    } as AppHost)
  await app.register(svcStores, { parts: { clock } })
  await app.register(svcSecurity, { ...options, parts: { users: await someAccounts(), clock, stores } })
  await app.ready()
  return { app, clock, lines }
}

t.test('keys: production demands them, elsewhere their absence is a warning', async (t) => {
  const rows: [title: string, mode: Mode | null, options: SvcSecurityOptions, outcome: 'boots' | 'warns' | 'aborts'][] =
    [
      ['production, none', 'production', jwtZone, 'aborts'],
      ['production, none, by the section alone', 'production', { jwt: {} }, 'aborts'],
      ['production, a key set', 'production', { ...jwtZone, jwt: { keySetJson } }, 'boots'],
      ['production, a damaged key set', 'production', { ...jwtZone, jwt: { keySetJson: '{}' } }, 'aborts'],
      [
        'production, no tokens',
        'production',
        { areas: { api: { pattern: '^/', authenticators: ['apikey'] } } },
        'boots'
      ],
      ['development, none', 'development', jwtZone, 'warns'],
      ['development, a damaged key set', 'development', { ...jwtZone, jwt: { keySetJson: 'x' } }, 'aborts'],
      ['a test, none', 'test', jwtZone, 'warns'],
      ['without the loader, none', null, jwtZone, 'aborts']
    ]
  for (const [title, mode, options, outcome] of rows) {
    if (outcome === 'aborts') {
      const error = await boot(mode, options).then(
        () => null,
        (error: BootError) => error
      )
      t.match(error?.problems, [{ code: 'SVC_SEC_KEYS', at: /^svc-security\.jwt/ }], title)
    } else {
      const { app, lines } = await boot(mode, options)
      const warned = lines.filter(({ code }) => code === 'SVC_SEC_KEYS_EPHEMERAL')
      t.equal(warned.length, outcome === 'warns' ? 1 : 0, title)
      if (outcome === 'warns') t.equal(warned[0]?.level, WARN, title)
      await app.close()
    }
  }
})

t.test('keys in a folder outlive the process', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-keys-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  const first = await boot('production', { jwt: { dir } })
  const { accessToken } = await first.app.tokens.issue({ identifier: 'alice' })
  await first.app.close()
  const second = await boot('production', { jwt: { dir } })
  t.equal((await second.app.tokens.verify(accessToken)).getUserIdentifier(), 'alice')
  await second.app.close()
  t.equal(second.clock.pending, 0, 'no timer is left')
  t.notMatch(JSON.stringify([...first.lines, ...second.lines]), accessToken)
})

t.test('unknown and impossible options are named', async (t) => {
  const rows: [options: object, at: string][] = [
    [{ jwt: { alg: 'RS256' } }, 'svc-security.jwt.alg'],
    [{ jwt: { accessTtlS: 0 } }, 'svc-security.jwt.accessTtlS'],
    [{ jwt: { accessTtlS: 86401 } }, 'svc-security.jwt.accessTtlS'],
    [{ jwt: { clockToleranceS: 301 } }, 'svc-security.jwt.clockToleranceS'],
    [{ jwt: { issuer: '' } }, 'svc-security.jwt.issuer'],
    [{ apiKeys: { prefix: 'Svc' } }, 'svc-security.apiKeys.prefix'],
    [{ apiKeys: { prefix: 'a-b' } }, 'svc-security.apiKeys.prefix'],
    [{ apiKeys: { prefix: 'abcdefghijklm' } }, 'svc-security.apiKeys.prefix'],
    [{ apiKeys: { defaultExpiryDays: 0 } }, 'svc-security.apiKeys.defaultExpiryDays'],
    [{ tokenStore: { store: 'redis' } }, 'svc-security.tokenStore.store'],
    [{ tokenStore: { gcIntervalS: 0 } }, 'svc-security.tokenStore.gcIntervalS']
  ]
  for (const [options, at] of rows) {
    const error = await boot('test', options as SvcSecurityOptions).catch((error: BootError) => error)
    t.match((error as BootError).problems, [{ at }], at)
  }
})

t.test('what is over is swept out of the store', async (t) => {
  const { app, clock } = await boot('test', { apiKeys: {}, tokenStore: { gcIntervalS: 10, retentionRevokedMs: 5000 } })
  const { view: revoked } = await app.tokens.apiKeys.create('alice', { name: 'revoked' })
  const { view: alive } = await app.tokens.apiKeys.create('alice', { name: 'alive' })
  await app.tokens.apiKeys.revoke(revoked.id)
  clock.advance(10_000)
  await new Promise(setImmediate)
  const { items } = await app.tokens.apiKeys.list({}, {})
  t.same(
    items.map(({ id }) => id),
    [alive.id]
  )
  await app.close()
  t.equal(clock.pending, 0)
})

t.test('what ends every credential of a user ends tokens and keys too', async (t) => {
  const areas = { api: { pattern: '^/', authenticators: ['jwt', 'apikey'] } }
  const { app } = await boot('test', { areas })
  t.teardown(() => app.close())
  const { accessToken, refreshToken } = await app.tokens.issue({ identifier: 'alice' })
  const { token: key } = await app.tokens.apiKeys.create('alice', { name: 'k' })
  await app.userAccounts.endEverything('alice', 'left')
  t.equal(await causeOf(app.tokens.verify(accessToken)), '401 INVALID_TOKEN invalid_before')
  t.equal(await causeOf(app.tokens.refresh(refreshToken)), '401 INVALID_TOKEN revoked')
  t.equal(await causeOf(app.tokens.apiKeys.verify(key)), '401 INVALID_TOKEN revoked')
})

t.test('times of the options are seconds', async (t) => {
  const jwt = { accessTtlS: 60, refreshTtlS: 100, refreshGraceS: 2, clockToleranceS: 5 }
  const { app, clock } = await boot('test', { ...jwtZone, jwt })
  t.teardown(() => app.close())
  const { tokens } = app
  const first = await tokens.issue({ identifier: 'alice' })
  t.equal(first.expiresIn, 60)
  const begun = clock.now()
  const at = (ms: number) => clock.advance(begun + ms - clock.now())
  at(64_999)
  t.equal((await tokens.verify(first.accessToken)).getUserIdentifier(), 'alice')
  at(65_000)
  t.equal(await causeOf(tokens.verify(first.accessToken)), '401 INVALID_TOKEN expired')
  at(99_999)
  const second = await tokens.refresh(first.refreshToken)
  at(101_998)
  t.equal((await tokens.refresh(first.refreshToken)).refreshToken, second.refreshToken)
  at(101_999)
  t.equal(await causeOf(tokens.refresh(first.refreshToken)), '401 INVALID_TOKEN reuse_detected')
  const third = await tokens.issue({ identifier: 'alice' })
  const ended = await tokens.issue({ identifier: 'alice' })
  await tokens.revoke(ended.refreshToken)
  at(101_999 + 64_000)
  t.equal(await causeOf(tokens.verify(ended.accessToken)), '401 INVALID_TOKEN revoked', 'for as long as it could live')
  at(201_999)
  t.equal(await causeOf(tokens.refresh(third.refreshToken)), '401 INVALID_TOKEN expired')
})

t.test('a brick that is disabled answers "not able now"', async (t) => {
  const { app, lines } = await boot('development', { ...jwtZone, tokenStore: { store: 'docdb' } })
  t.ok(lines.some(({ code }) => code === 'SVC_STORE_UNKNOWN'))
  await t.rejects(app.tokens.issue({ identifier: 'alice' }), { code: 'SVC_SEC_UNAVAILABLE' })
  const payload = { username: 'alice', password: 'correct horse' }
  t.equal((await app.inject({ method: 'POST', url: '/svc/security/api/token', payload })).statusCode, 503)
  await app.close()
})
