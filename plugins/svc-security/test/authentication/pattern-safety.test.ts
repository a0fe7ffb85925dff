/** What the boot says of patterns, of proxies and of a HEAD beside its GET. */
import type { FastifyServerOptions } from 'fastify'
import type { BootError } from 'svc-kernel'
import t from 'tap'
import { echoRoute, requires, securedApp } from '../support/guarded-app.ts'
import { logLines, WARN } from '../support/log-lines.ts'

async function warnings(pattern: string, server: FastifyServerOptions = {}, heads: readonly (string | null)[] = []) {
  const { lines, logger } = logLines()
  const app = await securedApp({ areas: { a: { pattern, authenticators: ['anonymous'] } } }, { logger, ...server })
  for (const role of heads) {
    const requirement = role === null ? null : requires(role)
    echoRoute(app, '/a/x', { method: 'HEAD', requirement })
    echoRoute(app, '/a/x', { requirement: requires('ROLE_A') })
  }
  await app.ready()
  await app.close()
  return lines.filter(({ level }) => level === WARN).map(({ code }) => code)
}

for (const pattern of ['^/(a+)+$', '^/([a-z]*)*$', '^/a|^/(x+x+)+y', '(?<=/)(a+)+$']) {
  t.test(`S12: the boot refuses ${pattern}`, async (t) => {
    const error = await warnings(pattern).then(
      () => null,
      (thrown: BootError) => thrown
    )
    t.match(error?.problems, [
      { code: 'SVC_ZONE_PATTERN', at: 'svc-security.areas.a.pattern', got: JSON.stringify(pattern), fix: String }
    ])
  })
}

const rows: Array<[pattern: string, expected: string[]]> = [
  ['^/api', []],
  ['^/(?:api|svc/realtime)', []],
  ['^/svc/[^/]+/api(?:/|$)', []],
  ['^/a|^/b', []],
  ['(?:^/a|^/b)', []],
  ['^/[|]|^/\\|', []],
  ['^/(?!open)[a-z]+/x', []],
  ['/api', ['SVC_ZONE_UNANCHORED']],
  ['admin', ['SVC_ZONE_UNANCHORED']],
  ['^/a|/b', ['SVC_ZONE_UNANCHORED']],
  ['(?<=/)admin', ['SVC_ZONE_UNANCHORED']]
]
for (const [pattern, expected] of rows) {
  t.test(`S12: ${pattern} ${expected.length === 0 ? 'says nothing' : 'is unanchored'}`, async (t) => {
    t.strictSame(await warnings(pattern), expected)
  })
}

t.test('S12: trustProxy', async (t) => {
  t.strictSame(await warnings('^/', { trustProxy: true }), ['SVC_SEC_TRUST_PROXY'])
  for (const trustProxy of [false, '127.0.0.1', ['10.0.0.0/8']]) {
    t.strictSame(await warnings('^/', { trustProxy }), [], JSON.stringify(trustProxy))
  }
})

t.test('S12: a HEAD of its own beside a guarded GET', async (t) => {
  t.strictSame(await warnings('^/a', {}, [null]), ['SVC_GUARD_HEAD'])
  t.strictSame(await warnings('^/a', {}, ['ROLE_A']), [])
})
