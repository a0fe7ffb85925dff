/** `svc user:create` on the real process: a user in a ready store, and every refusal. That the user can log in: journey 9. */
import t, { type Test } from 'tap'
import { createdApp, edit, write } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

/** A ready store of the application: for the command it lasts, whatever is behind it. One name is taken. */
const readyUsers = `import { systemClock } from 'svc-kernel'
import { inMemory } from 'svc-stores'
import { userStore } from 'svc-security/stores'

export const users = inMemory(userStore, { clock: systemClock })
await users.create({ identifier: 'taken', password: null })
`

async function appWith(t: Test, security: string): Promise<string> {
  const app = await createdApp(t)
  await edit(app, 'svc.config.ts', ['areas: {', `${security}\n        areas: {`])
  return app
}

async function durableApp(t: Test): Promise<string> {
  const app = await appWith(t, 'parts: { stores: { user: users } },')
  await write(app, 'users.ts', readyUsers)
  await edit(app, 'svc.config.ts', ['import svcDecorators', "import { users } from './users.ts'\nimport svcDecorators"])
  return app
}

const create = (cwd: string, args: readonly string[], password: string) =>
  runSvc(['user:create', ...args, '--password-stdin'], { cwd, stdin: `${password}\n` })

t.test('a user in the store; a name that is taken', async (t) => {
  const app = await durableApp(t)
  const made = await create(app, ['admin', '--role', 'ROLE_SVC_ADMIN', '--role', 'ROLE_USER'], 'correct horse')
  t.equal(made.code, 0, made.stderr)
  t.match(made.stdout, 'created user admin with ROLE_SVC_ADMIN, ROLE_USER')
  t.notMatch(made.stdout + made.stderr, 'correct horse')

  const again = await create(app, ['taken'], 'correct horse')
  t.equal(again.code, 1)
  t.match(again.stderr, 'SVC_USER_EXISTS')
})

t.test('no password: no terminal, or too short', async (t) => {
  const app = await durableApp(t)
  const silent = await runSvc(['user:create', 'admin'], { cwd: app })
  t.equal(silent.code, 1)
  t.match(silent.stderr, /SVC_USER_PASSWORD.*no terminal[\s\S]*--password-stdin/)
  const short = await create(app, ['admin'], 'short')
  t.equal(short.code, 1)
  t.match(short.stderr, /SVC_USER_PASSWORD.*fewer than 8/)
})

const refusals: Array<[title: string, security: string, code: string, fix: RegExp]> = [
  ['an application without accounts', '', 'SVC_USER_NO_ACCOUNTS', /session/],
  ['users in memory', 'users: {},', 'SVC_USER_VOLATILE', /module:add sql/],
  ['users of its own', 'parts: { users: { findByIdentifier: () => null } },', 'SVC_USER_FOREIGN', /hashPassword/]
]
for (const [title, security, code, fix] of refusals) {
  t.test(title, async (t) => {
    const app = await appWith(t, security)
    const { code: exit, stdout, stderr } = await create(app, ['admin'], 'correct horse')
    t.equal(exit, 1)
    t.equal(stdout, '')
    t.match(stderr, code)
    t.match(stderr, fix)
  })
}

t.test('what is no name and no role is a usage error, before anything is loaded', async (t) => {
  const app = await createdApp(t)
  const role = await create(app, ['admin', '--role', 'admin'], 'correct horse')
  t.equal(role.code, 2)
  t.match(role.stderr, /SVC_USER_ROLE.*did you mean ROLE_ADMIN/)
  const name = await create(app, [' admin'], 'correct horse')
  t.equal(name.code, 2)
  t.match(name.stderr, 'SVC_USER_NAME')
})
