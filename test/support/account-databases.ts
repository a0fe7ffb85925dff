/** An application with accounts of its own on a database, a clock that goes on when told, and what its users present. */
import { tmpdir } from 'node:os'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import type { ModuleEntry } from 'svc-host'
import { systemClock } from 'svc-kernel'
import svcSecurity, { type SvcSecurityOptions } from 'svc-security'
import { ensureStores } from 'svc-stores'
import type { Test } from 'tap'
import { API, CHEAP, KEY_SET, PASSWORD } from './account-app.ts'

export interface AccountsOnDatabase {
  readonly app: FastifyInstance
  readonly advance: (ms: number) => void
  /** The cookie of a new session. */
  readonly login: (username: string, password?: string) => Promise<{ cookie: string }>
  /** Both tokens of a new login by tokens. */
  readonly grant: (username: string) => Promise<{ access: string; refresh: string }>
  readonly renew: (refresh: string) => Promise<{ status: number; access: string; refresh: string }>
  /** A change made with a session, which keeps the cookie that the answer brings, as a browser does. */
  readonly change: (
    session: { cookie: string },
    method: 'POST' | 'PUT',
    url: string,
    payload?: object
  ) => Promise<number>
}

export async function accountsOn(
  t: Test,
  database: readonly ModuleEntry[],
  options: SvcSecurityOptions = {}
): Promise<AccountsOnDatabase> {
  const app = Fastify()
  t.teardown(() => app.close())
  const importModule = async () => ({})
  app.decorate('appHost', { name: 'accounts', root: tmpdir(), mode: 'test', checkOnly: false, importModule })
  let shift = 0
  const clock = { ...systemClock, now: () => systemClock.now() + shift }
  // Before any driver, so that stores and plugin read one clock.
  await ensureStores(app, { clock })
  for (const entry of database) {
    const [plugin, given] = (Array.isArray(entry) ? entry : [entry, {}]) as [FastifyPluginAsync<object>, object]
    await app.register(plugin, given)
  }
  await app.register(svcSecurity, {
    areas: { in: { pattern: '^/in', authenticators: ['session', 'jwt', 'apikey'] } },
    passwords: CHEAP,
    jwt: KEY_SET,
    ...options,
    parts: { clock }
  })
  app.get('/in', ({ user }) => user)
  await app.ready()

  const post = (url: string, payload: object) => app.inject({ method: 'POST', url: API + url, payload })
  const tokensOf = (answer: Awaited<ReturnType<typeof post>>) => {
    const { access_token: access = '', refresh_token: refresh = '' } = answer.json<Record<string, string>>()
    return { status: answer.statusCode, access, refresh }
  }
  return {
    app,
    advance: (ms) => {
      shift += ms
    },
    login: async (username, password = PASSWORD) => {
      const answer = await post('/auth/login', { username, password })
      return { cookie: String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '' }
    },
    grant: async (username) => tokensOf(await post('/token', { username, password: PASSWORD })),
    renew: async (refresh) => tokensOf(await post('/token/refresh', { refresh_token: refresh })),
    change: async (session, method, url, payload = {}) => {
      const { cookie } = session
      const { csrfToken } = (await app.inject({ url: `${API}/auth/csrf`, headers: { cookie } })).json()
      const headers = { cookie, 'x-csrf-token': csrfToken }
      const answer = await app.inject({ method, url: API + url, headers, payload })
      const renewed = String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? ''
      if (renewed !== '') session.cookie = renewed
      return answer.statusCode
    }
  }
}
