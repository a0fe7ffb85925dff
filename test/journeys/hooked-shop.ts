/** A newcomer's application with an administrator, webhooks and the receiver of svc-test, as its author writes it. */
import type { Test } from 'tap'
import { API } from '../support/account-app.ts'
import { Shop } from '../support/shop.ts'

export const PASSWORD = 'correct horse'

const users = `/** One administrator, whom no database knows. */
import { hashPassword } from 'svc-security'

const password = await hashPassword('${PASSWORD}')
const admin = { identifier: 'admin', roles: ['ROLE_SVC_ADMIN'], password }

export const users = { findByIdentifier: async (identifier: string) => (identifier === 'admin' ? admin : null) }
`

const imports = `import svcAudit from 'svc-audit'
import svcSecurity from 'svc-security'
import svcTest from 'svc-test'
import svcWebhooks from 'svc-webhooks'
import { users } from './users.ts'`

const modules = `[svcWebhooks, { allowHttp: true, denyPrivateIps: false }],
    svcTest,

    // Every exported class`

export async function hookedShop(t: Test): Promise<Shop> {
  const shop = await Shop.create(t)
  await shop.write('users.ts', users)
  await shop.edit('svc.config.ts', "import svcSecurity from 'svc-security'", imports)
  await shop.edit('svc.config.ts', 'modules: [', 'modules: [\n    svcAudit,')
  await shop.edit('svc.config.ts', 'areas: {', 'parts: { users },\n        session: {},\n        areas: {')
  await shop.edit('svc.config.ts', '// Every exported class', modules)
  return shop
}

interface Sent {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, compared field by field
  readonly body: any
}

/** Logs in as a browser does, and calls with the session and its token. */
export async function administrator(
  shop: Shop,
  username = 'admin'
): Promise<(method: string, path: string, body?: object) => Promise<Sent>> {
  const login = await send(`${shop.url}${API}/auth/login`, 'POST', {}, { username, password: PASSWORD })
  const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const me = await send(`${shop.url}${API}/auth/me`, 'GET', { cookie })
  const { csrfToken } = (await me.json()) as { csrfToken: string }
  return async (method, path, body) => {
    const answer = await send(`${shop.url}${API}${path}`, method, { cookie, 'x-csrf-token': csrfToken }, body)
    return { status: answer.status, body: await answer.json() }
  }
}

/** Somebody guesses at a password. */
export async function guess(shop: Shop): Promise<number> {
  return (await send(`${shop.url}${API}/auth/login`, 'POST', {}, { username: 'admin', password: 'wrong' })).status
}

function send(url: string, method: string, headers: Record<string, string>, body?: object): Promise<Response> {
  if (body === undefined) return fetch(url, { method, headers })
  const json = { ...headers, 'content-type': 'application/json' }
  return fetch(url, { method, headers: json, body: JSON.stringify(body) })
}
