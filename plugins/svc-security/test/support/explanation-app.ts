/** An application with guards of every kind, an administrator and a plain user who are logged in. */
import type { Test } from 'tap'
import { Vote } from '../../src/authorization/voter.ts'
import { ALICE_PASSWORD } from './accounts.ts'
import { echoRoute, requires } from './guarded-app.ts'
import { API, Browser, loginApp } from './login-app.ts'

const owner = { name: 'owner', supports: (attribute: string) => attribute === 'own', vote: () => DENIED }
const DENIED = { vote: Vote.DENY, reason: 'not yours' }
const own = { attribute: 'own', subject: 'id' }

export async function explanationApp(t: Test) {
  const { app, accounts } = await loginApp({ roleHierarchy: { ROLE_CHIEF: ['ROLE_ADMIN'] } }, { voters: [owner] })
  t.teardown(() => app.close())
  accounts.add({ ...accounts.get('alice'), identifier: 'root', roles: ['ROLE_SVC_ADMIN'] })
  echoRoute(app, '/in/open')
  echoRoute(app, '/in/orders', { requirement: requires('ROLE_USER') })
  echoRoute(app, '/in/vault', { requirement: requires('ROLE_ADMIN') })
  echoRoute(app, '/in/own/:id', { requirement: [[own]] })
  echoRoute(app, '/in/own/:id/vault', { requirement: [[own, { attribute: 'ROLE_ADMIN' }]] })
  echoRoute(app, '/in/both/:id', { requirement: [[{ attribute: 'ROLE_ADMIN' }], [own]] })
  echoRoute(app, '/outside', { requirement: requires('ROLE_USER') })
  const [admin, plain] = [new Browser(app), new Browser(app)]
  await admin.login('root', ALICE_PASSWORD)
  await plain.login()
  const headers = { 'x-csrf-token': await admin.csrfToken() }
  const post = (payload: object) => admin.call('POST', `${API}/explain`, { payload, headers })
  const ask = async (payload: object) => (await post(payload)).json()
  return { app, admin, plain, post, ask }
}
