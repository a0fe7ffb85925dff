/** J9: the first administrator, and a login from a browser, with the mistakes people make on the way. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Shop } from '../support/shop.ts'
import { run, svcBin } from '../support/svc-command.ts'

/** Users in a JSON file: what a database module does, so that the journey needs none. */
const fileUsers = `/** Users in a file beside the application. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { systemClock } from 'svc-kernel'
import type { NewUser, UserStore } from 'svc-security/stores'
import { userStore } from 'svc-security/stores'
import { inMemory } from 'svc-stores'

const FILE = new URL('./users.json', import.meta.url).pathname

export function fileUsers(): UserStore {
  const users = inMemory(userStore, { clock: systemClock })
  if (existsSync(FILE)) for (const user of JSON.parse(readFileSync(FILE, 'utf8'))) void users.create(user)
  const create = users.create.bind(users)
  return Object.assign(users, {
    async create(user: NewUser) {
      const record = await create(user)
      const { items } = await users.list({}, {})
      const all = await Promise.all(items.map(({ id }) => users.find(id)))
      const kept = all.map((one) => one && { identifier: one.identifier, password: one.password, roles: one.roles })
      writeFileSync(FILE, JSON.stringify(kept))
      return record
    }
  })
}
`

const PASSWORD = 'correct horse'
const API = '/svc/security/api'

async function withUsers(shop: Shop): Promise<void> {
  await shop.write('file-users.ts', fileUsers)
  await shop.edit(
    'svc.config.ts',
    'import svcDecorators',
    "import { fileUsers } from './file-users.ts'\nimport svcDecorators"
  )
  await shop.edit('svc.config.ts', 'areas: {', 'parts: { stores: { user: fileUsers() } },\n        areas: {')
}

function createUser(shop: Shop, ...args: string[]) {
  const piped = `printf '%s\\n' '${PASSWORD}' | "$0" "$@"`
  const command = [process.execPath, svcBin, 'user:create', ...args, '--password-stdin']
  return run('sh', ['-c', piped, ...command], { cwd: shop.folder })
}

/** A browser's part: it keeps its cookies. */
class Browser {
  readonly #url: string
  cookie = ''

  constructor(url: string) {
    this.#url = url
  }

  async call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = { ...type, ...(this.cookie === '' ? {} : { cookie: this.cookie }), ...headers }
    const answer = await fetch(this.#url + path, { method, headers: sent, ...json })
    const set = answer.headers.get('set-cookie')
    if (set !== null) this.cookie = set.split(';')[0] ?? ''
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) as Record<string, unknown> }
  }

  login(username: string, password = PASSWORD) {
    return this.call('POST', `${API}/auth/login`, { username, password })
  }
}

t.test('with users in memory the command says why it cannot help, and what would', async (t) => {
  const shop = await Shop.create(t)
  await shop.edit('svc.config.ts', 'areas: {', 'users: {},\n        areas: {')
  const { code, stderr } = await createUser(shop, 'admin', '--role', 'ROLE_SVC_ADMIN')
  t.equal(code, 1)
  t.match(stderr, /SVC_USER_VOLATILE.*memory[\s\S]*fix: npx svc module:add sql/)
})

t.test('the first administrator', async (t) => {
  const shop = await Shop.create(t)
  await withUsers(shop)
  const made = await createUser(shop, 'admin', '--role', 'ROLE_SVC_ADMIN')
  t.equal(made.code, 0, made.stderr)
  t.match(made.stdout, 'created user admin with ROLE_SVC_ADMIN')
  const kept = await readFile(join(shop.folder, 'users.json'), 'utf8')
  t.notMatch(made.stdout + made.stderr + kept, PASSWORD)
  t.equal((await createUser(shop, 'paul', '--role', 'ROLE_USER')).code, 0)
  await shop.dev()

  const admin = new Browser(shop.url)
  t.equal((await admin.call('GET', `${API}/sessions`)).status, 401, 'without a login')

  const login = await admin.login('admin')
  t.equal(login.status, 200)
  t.strictSame(login.body, { user: { identifier: 'admin', roles: ['ROLE_SVC_ADMIN'] } })
  const first = admin.cookie
  t.match(first, /^svc_session=[\w-]{43}$/)
  await admin.login('admin')
  t.not(admin.cookie, first, 'a new id at each login')
  t.match((await admin.call('GET', `${API}/sessions`)).body, { items: [{ user: 'admin' }], limit: 50 })

  const paul = new Browser(shop.url)
  await paul.login('paul')
  t.equal((await paul.call('GET', `${API}/sessions`)).status, 403, 'a plain user')

  const { items } = (await admin.call('GET', `${API}/sessions?user=paul`)).body as { items: { ref: string }[] }
  const revoke = `${API}/sessions/${items[0]?.ref}/revoke`
  const without = await admin.call('POST', revoke)
  t.equal(without.status, 403)
  t.match(without.body.message, /x-csrf-token/)
  const { csrfToken } = (await admin.call('GET', `${API}/auth/me`)).body as { csrfToken: string }
  t.equal((await admin.call('POST', revoke, undefined, { 'x-csrf-token': csrfToken })).status, 200)
  t.equal((await paul.call('GET', `${API}/auth/me`)).status, 401, 'his session is over')
})

t.test('mistakes at the login', async (t) => {
  const shop = await Shop.create(t)
  await withUsers(shop)
  t.equal((await createUser(shop, 'admin')).code, 0)
  await shop.dev()
  const email = await new Browser(shop.url).call('POST', `${API}/auth/login`, { email: 'a', password: PASSWORD })
  t.equal(email.status, 400)
  t.match(email.text, '/username')

  const wrong = await new Browser(shop.url).login('admin', 'not this one')
  const unknown = await new Browser(shop.url).login('nobody', 'not this one')
  t.strictSame([wrong.status, wrong.text], [401, unknown.text])
  t.match(wrong.body, { message: 'INVALID_CREDENTIALS' })

  const attempts = []
  for (let time = 0; time < 5; time += 1) attempts.push(await new Browser(shop.url).login('admin', 'not this one'))
  const last = attempts.at(-1)
  t.equal(last?.status, 429, 'the sixth attempt')
  t.match(last?.headers.get('retry-after'), /^[1-9]\d*$/)
})
