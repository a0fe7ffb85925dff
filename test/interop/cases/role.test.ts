/** Area `role`: the hierarchy and the role voter, with names and records that are out to confuse them. */
import { BootError } from 'svc-kernel'
import { juryApp, tokenOf } from './jury-app.ts'
import { securityCase } from './security-case.ts'

const anyone = { pattern: '^/', authenticators: ['odd', 'anonymous'] }

securityCase('ROL-05', async (t) => {
  const roleHierarchy = {
    ROLE_ADMIN: ['ROLE_USER'],
    ROLE_X: ['ROLE_Y'],
    ROLE_Y: ['ROLE_Z'],
    ROLE_Z: ['ROLE_X']
  }
  await t.rejects(juryApp(t, [], { security: { roleHierarchy } }), {
    code: 'SVC_SEC_ROLE_CYCLE',
    message: /ROLE_X → ROLE_Y → ROLE_Z → ROLE_X/
  })
  await t.rejects(juryApp(t, [], { security: { roleHierarchy: { ROLE_A: ['ROLE_A'] } } }), /ROLE_A → ROLE_A/)
})

securityCase(
  'ROL-06',
  async (t) => {
    const roleHierarchy = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`ROLE_${index}`, [`ROLE_${index + 1}`]])
    )
    const { jury } = await juryApp(t, [], { security: { roleHierarchy } })
    t.equal(jury.decide(tokenOf({ roles: ['ROLE_0'] }), 'ROLE_1000'), true)
    t.equal(jury.decide(tokenOf({ roles: ['ROLE_1'] }), 'ROLE_0'), false)
  },
  'boots, and the first role grants the last'
)

securityCase('ROL-07', async (t) => {
  const { jury } = await juryApp(t, [], { security: { roleHierarchy: { ROLE_ADMIN: ['ROLE_USER'] } } })
  const names = ['__proto__', 'constructor', 'toString', 'ROLE_constructor', 'ROLE_toString']
  for (const name of names) {
    t.equal(jury.decide(tokenOf({ roles: [name] }), 'ROLE_ADMIN'), false, `${name} gives no role`)
    t.equal(jury.decide(tokenOf({ roles: ['ROLE_ADMIN'] }), name), false, `nobody has ${name}`)
  }
  t.equal(jury.decide(tokenOf({ roles: ['ROLE_constructor'] }), 'ROLE_constructor'), true, 'it is a role as any other')
  for (const name of ['__proto__', 'ROLE___proto__']) {
    const roleHierarchy = JSON.parse(`{"${name}": ["ROLE_ADMIN"]}`) as Record<string, string[]>
    await t.rejects(juryApp(t, [], { security: { roleHierarchy } }), { code: 'SVC_KERNEL_OPTIONS' })
  }
})

securityCase('ROL-08', async (t) => {
  const { jury } = await juryApp(t, [])
  const lower = tokenOf({ roles: ['role_admin', 'Role_Admin'] })
  t.match(await jury.explain(lower, 'ROLE_ADMIN'), { granted: false, votes: [{ voter: 'role', vote: 'ABSTAIN' }] })
  t.match(await jury.explain(lower, 'role_admin'), { granted: false, reason: 'no-voter' })
})

securityCase('ROL-09', async (t) => {
  for (const roleHierarchy of [{ ADMIN: ['ROLE_USER'] }, { ROLE_ADMIN: ['USER'] }, { role_admin: ['ROLE_USER'] }]) {
    const error: unknown = await juryApp(t, [], { security: { roleHierarchy } }).catch((reason: unknown) => reason)
    t.type(error, BootError)
    t.match((error as BootError).problems, [{ at: /svc-security\.roleHierarchy/ }])
  }
})

securityCase(
  'ROL-10',
  async (t) => {
    const roles = ['ROLE_USER', null, 7, 'ROLE_USER', {}, ['ROLE_ADMIN'], undefined]
    const odd = {
      supports: () => true,
      createToken: () => '',
      authenticate: () => ({ type: 'session', user: { identifier: 'alice', roles: roles as string[] } })
    }
    const { ask, jury } = await juryApp(t, [], {
      security: { areas: { site: anyone } },
      parts: { authenticators: { odd } }
    })
    t.equal((await ask('', '/post/role')).status, 200, 'the good entry counts')
    t.equal(jury.decide(odd.authenticate() as never, 'ROLE_ADMIN'), false)
    for (const damaged of [null, 'ROLE_USER', { 0: 'ROLE_USER' }, 7]) {
      const token = { type: 'session', user: { identifier: 'alice', roles: damaged } }
      t.equal(jury.decide(token as never, 'ROLE_USER'), false)
    }
  },
  'left out without a word; never a throw that becomes GRANT'
)

securityCase('ROL-11', async (t) => {
  const { jury } = await juryApp(t, [])
  t.match(await jury.explain(tokenOf({ roles: ['ROLE_', 'ROLE_ADMIN'] }), 'ROLE_'), {
    granted: false,
    reason: 'abstain',
    votes: [{ voter: 'role', vote: 'ABSTAIN' }]
  })
})

securityCase('ROL-13', async (t) => {
  const voter = {
    name: 'friend',
    supports: (attribute: string) => attribute === 'ROLE_GUEST',
    vote: () => 'GRANT' as const
  }
  const { jury } = await juryApp(t, [voter])
  t.match(await jury.explain(tokenOf(), 'ROLE_GUEST'), {
    granted: true,
    votes: [
      { voter: 'role', vote: 'ABSTAIN' },
      { voter: 'friend', vote: 'GRANT' }
    ]
  })
})
