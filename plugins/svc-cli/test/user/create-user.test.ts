/** `svc user:create` on the real process: a user in a store that lasts, and every refusal. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createdApp, edit, write } from '../support/sandbox.ts'
import { runSvc, SvcProcess } from '../support/svc-process.ts'

/** Users in a JSON file of the application: what a database module does, in twenty lines. */
const fileUsers = `import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { MemoryUserStore } from 'svc-stores'
import { systemClock } from 'svc-kernel'

const FILE = new URL('./users.json', import.meta.url).pathname

export class FileUsers extends MemoryUserStore {
  constructor() {
    super({ clock: systemClock })
    if (existsSync(FILE)) for (const user of JSON.parse(readFileSync(FILE, 'utf8'))) void super.create(user)
  }

  override async create(user: Parameters<MemoryUserStore['create']>[0]) {
    const record = await super.create(user)
    const { items } = await this.list({}, {})
    const all = await Promise.all(items.map(({ id }) => this.find(id)))
    writeFileSync(FILE, JSON.stringify(all.map((one) => one && { identifier: one.identifier, password: one.password, roles: one.roles })))
    return record
  }
}
`

async function appWith(t: Test, security: string): Promise<string> {
  const app = await createdApp(t)
  await edit(app, 'svc.config.ts', ['areas: {', `${security}\n        areas: {`])
  return app
}

async function durableApp(t: Test): Promise<string> {
  const app = await appWith(t, 'parts: { stores: { user: new FileUsers() } },')
  await write(app, 'file-users.ts', fileUsers)
  await edit(app, 'svc.config.ts', [
    'import svcDecorators',
    "import { FileUsers } from './file-users.ts'\nimport svcDecorators"
  ])
  return app
}

const create = (cwd: string, args: readonly string[], password: string) =>
  runSvc(['user:create', ...args, '--password-stdin'], { cwd, stdin: `${password}\n` })

t.test('a user who can then log in; the password is nowhere', async (t) => {
  const app = await durableApp(t)
  const made = await create(app, ['admin', '--role', 'ROLE_SVC_ADMIN', '--role', 'ROLE_USER'], 'correct horse')
  t.equal(made.code, 0, made.stderr)
  t.match(made.stdout, 'created user admin with ROLE_SVC_ADMIN, ROLE_USER')
  t.notMatch(made.stdout + made.stderr + (await readFile(join(app, 'users.json'), 'utf8')), 'correct horse')

  const again = await create(app, ['admin'], 'correct horse')
  t.equal(again.code, 1)
  t.match(again.stderr, 'SVC_USER_EXISTS')

  const dev = new SvcProcess(t, ['dev'], { cwd: app, env: { PORT: '0' } })
  const url = await dev.address()
  const login = await fetch(`${url}/svc/security/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'correct horse' })
  })
  t.equal(login.status, 200)
  t.match(await login.json(), { user: { identifier: 'admin', roles: ['ROLE_SVC_ADMIN', 'ROLE_USER'] } })
  await dev.stop()
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
  ['users in memory', 'users: {},', 'SVC_USER_VOLATILE', /database module/],
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
