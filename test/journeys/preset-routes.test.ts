/** Every route of preset `full` below /svc/, as the anonymous visitor, as a user and as an administrator meet it. */
import t from 'tap'
import { PresetApp } from './preset-app.ts'

const PASSWORD = 'correct horse battery'
const API = '/svc/security/api'
const development = { NODE_ENV: 'development' }

interface Row {
  readonly method: string
  readonly path: string
  readonly guard: string | null
  readonly access: 'guarded' | 'anonymous' | 'bypass' | 'open'
}

/** Asks for the proof of a login that is under way, which none of the three has: 401 for all. */
const SECOND_STEP = `${API}/auth/login/totp`

/** What a browser needs to sign in, and to say that a database is away: the files of the pages hold no data. */
const CONSOLE = ['/svc/console/sign-in', '/svc/console/files/', '/svc/console/outage']

/** Open by design, as is the description of the API in development. Every other route asks for proof. */
const PUBLIC = [
  '/svc/ops/health',
  '/svc/ops/health/live',
  '/svc/ops/health/ready',
  `${API}/auth/login`,
  `${API}/auth/logout`,
  `${API}/jwks`,
  `${API}/token`,
  `${API}/token/refresh`,
  `${API}/token/revoke`
]

/** A session cookie with its CSRF token, as a browser has them. */
class Visitor {
  readonly #url: string
  #headers: Record<string, string> = {}

  constructor(url: string) {
    this.#url = url
  }

  async login(username: string): Promise<this> {
    this.#headers = {}
    const body = JSON.stringify({ username, password: PASSWORD })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${this.#url}${API}/auth/login`, { method: 'POST', headers, body })
    if (answer.status !== 200) throw new Error(`login of ${username}: ${answer.status} ${await answer.text()}`)
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    const me = await fetch(`${this.#url}${API}/auth/me`, { headers: { cookie } })
    const { csrfToken } = (await me.json()) as { csrfToken: string }
    this.#headers = { cookie, 'x-csrf-token': csrfToken }
    return this
  }

  /**
   * With an empty body where the method takes one, and names of nothing in the place of parameters.
   *
   * @param proved with the token that a page of the application has
   */
  async status(method: string, path: string, proved = true): Promise<number> {
    const filled = path.replace(/:\w+/g, 'none').replace('*', 'index.css')
    const sent = /^(GET|HEAD)$/.test(method) ? {} : { body: '{}' }
    const type: Record<string, string> = sent.body === undefined ? {} : { 'content-type': 'application/json' }
    const { 'x-csrf-token': token, ...own } = this.#headers
    const headers = { ...own, ...type, ...(proved && token !== undefined ? { 'x-csrf-token': token } : {}) }
    const answer = await fetch(this.#url + filled, { method, headers, redirect: 'manual', ...sent })
    await answer.text()
    return answer.status
  }
}

t.test('S4: every route of preset full: proof, role, and an administrator who reaches all', async (t) => {
  const app = await PresetApp.create(t, 'full')
  const rows = (await app.routes<Row>(development)).filter(({ path }) => path.startsWith('/svc/'))
  const routes = rows.flatMap((row) =>
    row.method.split(',').map((method) => ({ ...row, method: method === 'WEBSOCKET' ? 'GET' : method }))
  )
  t.ok(routes.filter(({ guard }) => guard === 'ROLE_SVC_ADMIN').length >= 25, 'the administrative routes are there')
  await app.createUser('root', ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA', 'ROLE_SVC_DATA_WRITE'], PASSWORD)
  await app.createUser('paul', ['ROLE_USER'], PASSWORD)
  const { url } = await app.start(development)
  const visitor = new Visitor(url)
  const paul = await new Visitor(url).login('paul')
  const root = await new Visitor(url).login('root')

  const wrong: string[] = []
  for (const { method, path, guard } of routes) {
    const ends = path === `${API}/auth/logout`
    const met = {
      anonymous: await visitor.status(method, path),
      user: await paul.status(method, path),
      administrator: await root.status(method, path)
    }
    const open =
      PUBLIC.includes(path) ||
      (path.startsWith('/svc/docs/') && !path.startsWith('/svc/docs/api/admin')) ||
      CONSOLE.some((start) => path.startsWith(start))
    const admits = (status: number) => path === SECOND_STEP || ![401, 403].includes(status)
    const holds =
      (open ? admits(met.anonymous) : met.anonymous === 401) &&
      (guard?.includes('ROLE_SVC_ADMIN') ? met.user === 403 : admits(met.user)) &&
      admits(met.administrator)
    if (!holds) wrong.push(`${method} ${path}: ${JSON.stringify(met)}`)
    if (ends) await Promise.all([paul.login('paul'), root.login('root')])
  }
  t.strictSame(wrong, [])

  const changes = routes.filter(({ method, guard }) => method !== 'GET' && method !== 'HEAD' && guard !== null)
  t.ok(changes.length >= 20, `${changes.length} changes`)
  for (const { method, path } of changes) {
    t.equal(await root.status(method, path, false), 403, `${method} ${path} without the proof of the session`)
  }
})
