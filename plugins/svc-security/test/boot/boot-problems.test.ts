/** What keeps an application from booting: all of it in one report, each with the path of its key. */

import { BootError } from 'svc-kernel'
import t, { type Test } from 'tap'
import type { SvcSecurityOptions, SvcSecurityParts } from '../../src/index.ts'
import { securedApp } from '../support/guarded-app.ts'
import { HeaderAuthenticator } from '../support/tokens.ts'

async function bootError(options: object): Promise<BootError> {
  const app = await securedApp(options as SvcSecurityOptions & { parts?: SvcSecurityParts }).catch((error) => error)
  if (app instanceof Error) return app as BootError
  const error: unknown = await app.ready().then(
    () => new Error('it booted'),
    (thrown: unknown) => thrown
  )
  await app.close()
  return error as BootError
}

/** Those of this plugin tell all five parts; the schema's come from the kernel. */
function allParts(t: Test, problems: BootError['problems']): void {
  for (const problem of problems.filter(({ code }) => code.startsWith('SVC_SEC_'))) {
    t.match(
      problem,
      { message: /./, at: /./, got: /./, expected: /./, fix: /./, more: /^npx svc docs [\w-]+$/ },
      problem.code
    )
  }
}

const key = new HeaderAuthenticator('key')
const area = { pattern: '^/', authenticators: ['anonymous'] }

const rows: Array<[title: string, options: object, at: string, more?: object]> = [
  ['an invalid pattern', { areas: { api: { ...area, pattern: '^/(' } } }, 'svc-security.areas.api.pattern'],
  ['an empty list', { areas: { api: { ...area, authenticators: [] } } }, 'svc-security.areas.api.authenticators'],
  [
    'a repeated authenticator',
    { areas: { api: { ...area, authenticators: ['anonymous', 'anonymous'] } } },
    'svc-security.areas.api.authenticators'
  ],
  ['an unknown mode', { areas: { api: { ...area, mode: 'any' } } }, 'svc-security.areas.api.mode'],
  ['a missing pattern', { areas: { api: { authenticators: ['anonymous'] } } }, 'svc-security.areas.api.pattern'],
  [
    'a misspelt key',
    { areas: { api: { ...area, patern: '^/' } } },
    'svc-security.areas.api.patern',
    { message: /did you mean pattern/ }
  ],
  ['an unknown key', { sessions: {} }, 'svc-security.sessions'],
  ['a role that is none, as key', { roleHierarchy: { ADMIN: ['ROLE_USER'] } }, 'svc-security.roleHierarchy'],
  [
    'a role that is none, as value',
    { roleHierarchy: { ROLE_ADMIN: ['user'] } },
    'svc-security.roleHierarchy.ROLE_ADMIN[0]'
  ],
  ['no time for voters', { jury: { voterTimeoutMs: 0 } }, 'svc-security.jury.voterTimeoutMs'],
  [
    'an origin that is none',
    { csrf: { trustedOrigins: ['https://app.example/x'] } },
    'svc-security.csrf.trustedOrigins[0]'
  ],
  [
    'an unknown authenticator',
    { areas: { api: { ...area, authenticators: ['kay', 'anonymous'] } }, parts: { authenticators: { key } } },
    'svc-security.areas.api.authenticators[0]',
    {
      code: 'SVC_SEC_UNKNOWN_AUTHENTICATOR',
      message: 'there is no authenticator "kay" (did you mean key?)',
      expected: 'anonymous | session | userpassword | jwt | apikey | key'
    }
  ],
  [
    'an authenticator that is like none',
    { areas: { api: { ...area, authenticators: ['kerberos'] } }, parts: { authenticators: { key } } },
    'svc-security.areas.api.authenticators[0]',
    {
      message: 'there is no authenticator "kerberos"',
      fix: "registerAuthenticatorFactory('kerberos', ...) at module load"
    }
  ],
  [
    'a role that inherits itself',
    { roleHierarchy: { ROLE_A: ['ROLE_B'], ROLE_B: ['ROLE_A'] } },
    'svc-security.roleHierarchy.ROLE_A',
    { code: 'SVC_SEC_ROLE_CYCLE', message: /ROLE_A → ROLE_B → ROLE_A/ }
  ],
  [
    'a part under a built-in name',
    { parts: { authenticators: { anonymous: key } } },
    'svc-security.parts.authenticators.anonymous',
    { code: 'SVC_SEC_AUTHENTICATOR_TAKEN' }
  ]
]

for (const [title, options, at, more = {}] of rows) {
  t.test(title, async (t) => {
    const error = await bootError(options)
    t.ok(error instanceof BootError, String(error))
    t.match(error.problems, [{ at, ...more }])
    t.equal(error.problems.length, 1)
    allParts(t, error.problems)
  })
}

t.test('every mistake of the options in one report', async (t) => {
  const { problems } = await bootError({
    areas: { a: { ...area, mode: 'x' }, b: { ...area, authenticators: [] } },
    jury: { x: 1 }
  })
  t.same(problems.map(({ at }) => at).sort(), [
    'svc-security.areas.a.mode',
    'svc-security.areas.b.authenticators',
    'svc-security.jury.x'
  ])
})

t.test('every name nobody knows and every part that cannot work in one report', async (t) => {
  const broken = [{ name: 'mute', supports: () => true }, null]
  const { problems } = await bootError({
    areas: { a: { ...area, authenticators: ['x', 'anonymous'] }, b: { ...area, authenticators: ['y', 'half'] } },
    roleHierarchy: {},
    parts: { voters: broken, authenticators: { half: { supports: () => true } } }
  })
  t.match(problems, [
    { at: 'svc-security.areas.a.authenticators[0]' },
    { at: 'svc-security.areas.b.authenticators[0]' },
    { code: 'SVC_SEC_FACTORY', message: /authenticator "half"/, got: 'no createToken()' },
    { code: 'SVC_SEC_FACTORY', message: /voter "mute"/, got: 'no vote()' },
    { code: 'SVC_SEC_FACTORY', message: /voter "parts\.voters\[1\]"/ }
  ])
  allParts(t, problems)
})

t.test('P8: with accounts a role cycle keeps its code and its line, beside what else is wrong', async (t) => {
  const { problems } = await bootError({
    areas: { a: { ...area, authenticators: ['session', 'x'] } },
    roleHierarchy: { ROLE_A: ['ROLE_B'], ROLE_B: ['ROLE_A'] },
    parts: { users: { findByIdentifier: () => null } }
  })
  t.match(problems, [
    { code: 'SVC_SEC_UNKNOWN_AUTHENTICATOR', got: '"x"' },
    {
      code: 'SVC_SEC_ROLE_CYCLE',
      message: 'the role hierarchy contains a cycle: ROLE_A → ROLE_B → ROLE_A',
      at: 'svc-security.roleHierarchy.ROLE_A'
    }
  ])
  allParts(t, problems)
})

t.test('C28: options of another plugin are answered with its name', async (t) => {
  const { problems } = await bootError({ webhooks: { retries: 3 } })
  t.match(problems, [{ at: 'svc-security.webhooks', fix: 'register svc-webhooks with them, and remove webhooks here' }])
})

t.test('a cycle and an unknown authenticator are told together', async (t) => {
  const { problems } = await bootError({
    areas: { a: { ...area, authenticators: ['x'] } },
    roleHierarchy: { ROLE_A: ['ROLE_A'] }
  })
  t.same(
    problems.map(({ code }) => code),
    ['SVC_SEC_UNKNOWN_AUTHENTICATOR', 'SVC_SEC_ROLE_CYCLE']
  )
})
