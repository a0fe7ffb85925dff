/** Sections that have no effect are told; those that have one are not. */
import t from 'tap'
import { sectionWarnings } from '../../src/boot/configuration-warnings.ts'
import type { SvcSecurityOptions } from '../../src/index.ts'
import { securedApp } from '../support/guarded-app.ts'
import { logLines } from '../support/log-lines.ts'

const NOTHING = { accounts: false, ownUsers: false, signed: false, keyed: false }

const rows: ReadonlyArray<[title: string, given: SvcSecurityOptions, use: object, unused: readonly string[]]> = [
  ['nothing is given', {}, {}, []],
  ['tokenStore, and no tokens', { tokenStore: {} }, { accounts: true }, ['tokenStore']],
  ['tokenStore, for signed tokens', { tokenStore: {} }, { accounts: true, signed: true }, []],
  ['tokenStore, for API keys', { tokenStore: {} }, { accounts: true, keyed: true }, []],
  ['idempotency, and no accounts', { idempotency: {} }, {}, ['idempotency']],
  ['idempotency, with accounts', { idempotency: {} }, { accounts: true }, []],
  ['users beside parts.users', { users: {} }, { accounts: true, ownUsers: true }, ['users']],
  [
    'basicWithoutSecondFactor, and no Basic',
    { areas: { in: { pattern: '^/in', authenticators: ['session'], basicWithoutSecondFactor: true } } },
    { accounts: true },
    ['areas.in.basicWithoutSecondFactor']
  ],
  [
    'basicWithoutSecondFactor, with Basic',
    { areas: { in: { pattern: '^/in', authenticators: ['userpassword'], basicWithoutSecondFactor: true } } },
    { accounts: true },
    []
  ],
  ['users alone', { users: {} }, { accounts: true }, []]
]

for (const [title, given, use, unused] of rows) {
  t.test(title, async (t) => {
    const lints = sectionWarnings(given, { ...NOTHING, ...use })
    t.match(
      lints,
      unused.map((section) => ({ code: 'SVC_SEC_SECTION_UNUSED', at: `svc-security.${section}`, fix: /./ }))
    )
    t.equal(lints.length, unused.length)
  })
}

t.test('the boot warns', async (t) => {
  const { lines, logger } = logLines('warn')
  const app = await securedApp({ tokenStore: { store: 'memory' } }, { logger })
  t.teardown(() => app.close())
  await app.ready()
  t.match(lines, [{ code: 'SVC_SEC_SECTION_UNUSED', at: 'svc-security.tokenStore' }])
})
