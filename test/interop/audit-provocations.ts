/** For each action of the audit's catalogue, what makes an application record it. */
import { KeySetFile, newStoredKey } from 'svc-security/host'
import { API, PASSWORD } from '../support/account-app.ts'
import { type AuditedApp, json, PAGE } from '../support/audited-app.ts'
import { madePasskey } from '../support/made-passkey.ts'
import { rawExchange, rawUpgrade } from '../support/raw-http.ts'
import { RpcSocket } from '../support/rpc-socket.ts'

export interface Provocation {
  readonly action: string
  readonly outcome: 'success' | 'failure' | 'denied'
  readonly actor: string | null
  /** `null` where the record has none; otherwise part of it. */
  readonly reason: string | null
  provoke(app: AuditedApp): Promise<unknown>
}

const KEYS_READ_MS = 30_000
/** The longest that the option allows. */
const REFRESH_GRACE_MS = 60_000

const basic = (app: AuditedApp, password: string) => app.browser().basic(`alice:${password}`)

export const provocations: readonly Provocation[] = [
  row('login.success', 'success', 'alice', null, (app) => app.signedIn()),
  row('login.failure', 'failure', 'alice', 'wrong_password', (app) => app.browser().login('alice', 'guess')),
  row('login.throttled', 'failure', 'alice', 'SVC_SEC_THROTTLED', async (app) => {
    await app.browser().login('alice', 'guess')
    await app.browser().login('alice', 'guess')
  }),
  row('login.mfa_required', 'success', 'alice', 'totp', async (app) => {
    await app.enrolled()
    await app.browser().login()
  }),
  row('logout', 'success', 'alice', null, async (app) => {
    const { person, proof } = await app.signedIn()
    await person.post(`${API}/auth/logout`, {}, proof)
  }),
  row('auth.failure', 'failure', 'alice', 'wrong_password', (app) => basic(app, 'guess')),
  row('auth.denied', 'denied', null, 'no_proof', (app) => app.browser().call('GET', '/in/who')),
  row('auth.throttled', 'failure', 'alice', 'SVC_SEC_THROTTLED', async (app) => {
    await basic(app, 'guess')
    await basic(app, 'guess')
  }),
  row('access.denied', 'denied', 'alice', 'abstain', async (app) => {
    const { person } = await app.signedIn()
    await person.call('GET', '/in/vault')
  }),
  row('limit.exceeded', 'denied', 'alice', 'SVC_LIMIT_EXCEEDED', async (app) => {
    const { person } = await app.signedIn()
    await person.call('GET', '/in/rare')
    await person.call('GET', '/in/rare')
  }),
  row('token.issued', 'success', 'alice', null, (app) => app.tokens()),
  row('token.refreshed', 'success', 'alice', null, async (app) => {
    const { refresh_token } = await app.tokens()
    await app.browser().post(`${API}/token/refresh`, { refresh_token })
  }),
  row('token.revoked', 'success', 'alice', 'logout', async (app) => {
    const { access_token: token } = await app.tokens()
    await app.browser().post(`${API}/token/revoke`, { token })
  }),
  row('token.reuse_detected', 'denied', 'alice', 'reuse_detected', async (app) => {
    const { refresh_token } = await app.tokens()
    await app.browser().post(`${API}/token/refresh`, { refresh_token })
    app.clock.advance(REFRESH_GRACE_MS)
    await app.browser().post(`${API}/token/refresh`, { refresh_token })
  }),
  row('apikey.created', 'success', 'alice', null, madeKey),
  row('apikey.revoked', 'success', 'root', 'manual', async (app) => {
    const id = await madeKey(app)
    const { person, proof } = await app.signedIn('root')
    await person.post(`${API}/keys/${id}/revoke`, {}, proof)
  }),
  row('apikey.expires', 'success', 'root', '2000-01-01', async (app) => {
    const id = await madeKey(app)
    const { person, proof } = await app.signedIn('root')
    await person.post(`/in/keys/${id}/replaced`, {}, proof)
  }),
  row('session.opened', 'success', 'alice', null, (app) => app.signedIn()),
  row('session.destroyed', 'success', 'alice', 'logout', async (app) => {
    const { person, proof } = await app.signedIn()
    await person.post(`${API}/auth/logout`, {}, proof)
  }),
  row('session.revoked', 'success', 'root', null, async (app) => {
    await app.signedIn()
    const { person, proof } = await app.signedIn('root')
    const { items } = json(await person.call('GET', `${API}/sessions?user=alice`)) as { items: [{ ref: string }] }
    await person.post(`${API}/sessions/${items[0].ref}/revoke`, {}, proof)
  }),
  row('passkey.registered', 'success', 'alice', null, madeCredential),
  row('passkey.renamed', 'success', 'alice', null, async (app) => {
    const { person, proof, id } = await madeCredential(app)
    const headers = { 'content-type': 'application/json', ...proof }
    await person.call('PATCH', `${API}/webauthn/credentials/${id}`, headers, '{"nickname":"key ring"}')
  }),
  row('passkey.removed', 'success', 'alice', null, async (app) => {
    const { person, proof, id } = await madeCredential(app)
    await person.call('DELETE', `${API}/webauthn/credentials/${id}`, proof)
  }),
  row('oauth.linked', 'success', 'alice', null, async (app) => {
    const { person, proof } = await app.signedIn()
    const { url } = json(await person.post(`${API}/oauth2/home/authorize`, {}, proof))
    await person.call('GET', `${API}/oauth2/home/callback?${app.provider.visit(String(url))}`)
  }),
  row('oauth.unlinked', 'success', 'alice', null, async (app) => {
    const { person, proof } = await app.signedIn()
    const { url } = json(await person.post(`${API}/oauth2/home/authorize`, {}, proof))
    await person.call('GET', `${API}/oauth2/home/callback?${app.provider.visit(String(url))}`)
    await person.call('DELETE', `${API}/oauth2/home`, proof)
  }),
  row('oauth.logout', 'success', null, null, async (app) => {
    const { headers, body } = await app.provider.logoutRequest(app.clock.now())
    await app.browser().call('POST', `${API}/oauth2/home/backchannel-logout`, headers, body)
  }),
  row('oauth.failure', 'failure', null, 'not_linked', async (app) => {
    const person = app.browser()
    const { headers } = await person.call('GET', `${API}/oauth2/home/authorize`)
    await person.call('GET', `${API}/oauth2/home/callback?${app.provider.visit(headers.location ?? '')}`)
  }),
  row('csrf.rejected', 'denied', 'alice', 'token', async (app) => {
    const { person } = await app.signedIn()
    await person.post('/in/who', {})
  }),
  row('cors.rejected', 'denied', null, 'https://evil.example', (app) => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    return app.browser().call('OPTIONS', '/in/who', headers)
  }),
  row('frame.denied', 'denied', 'alice', 'forbidden', async (app) => {
    const { access_token } = await app.tokens()
    const socket = await RpcSocket.open(app.port, { authorization: `Bearer ${access_token}` })
    await socket.call('channel.subscribe', { channel: 'closed' })
    socket.client.close()
  }),
  row('origin.rejected', 'denied', null, 'https://evil.example', (app) =>
    rawExchange(app.port, rawUpgrade('/svc/realtime', { origin: 'https://evil.example' }))
  ),
  row('data.viewed', 'success', 'root', null, async (app) => {
    const { person } = await app.signedIn('root')
    await person.call('GET', '/svc/orm/api/entities/Note/rows')
  }),
  row('data.changed', 'success', 'root', null, async (app) => {
    const { person, proof } = await app.signedIn('root')
    await person.post('/svc/orm/api/entities/Note/rows', { values: { text: 'a note' } }, proof)
  }),
  row('data.crossed', 'success', 'alice', 'a report of all', async (app) => {
    const { person } = await app.signedIn()
    await person.call('GET', '/in/report')
  }),
  row('user.created', 'success', 'root', null, (app) =>
    changedUser(app, 'POST', null, '', { identifier: 'zoe', password: PASSWORD })
  ),
  row('user.roles', 'success', 'root', null, (app) => changedUser(app, 'PUT', 'alice', 'roles', { roles: ['ROLE_X'] })),
  row('user.self_granted', 'success', 'root', null, (app) =>
    changedUser(app, 'PUT', 'root', 'roles', { roles: ['ROLE_SVC_ADMIN', 'ROLE_X'] })
  ),
  row('user.locked', 'success', 'root', null, (app) => changedUser(app, 'POST', 'alice', 'lock')),
  row('user.unlocked', 'success', 'root', null, (app) => changedUser(app, 'POST', 'alice', 'unlock')),
  row('user.totp_removed', 'success', 'root', null, async (app) => {
    await app.enrolled()
    await changedUser(app, 'DELETE', 'alice', 'factors/totp')
  }),
  row('user.password', 'success', 'alice', null, async (app) => {
    const { person, proof } = await app.signedIn()
    app.secrets.add('quite long too')
    await person.post(`${API}/auth/password`, { current: PASSWORD, password: 'quite long too' }, proof)
  }),
  row('impersonation.begun', 'success', 'root', 'ticket 7', (app) => impersonated(app)),
  row('impersonation.ended', 'success', 'root', 'ticket 7', (app) => impersonated(app)),
  row('user.disabled', 'success', null, null, (app) => app.fastify.userAccounts.setEnabled('alice', false)),
  row('user.enabled', 'success', null, null, (app) => app.fastify.userAccounts.setEnabled('alice', true)),
  row('user.renamed', 'success', null, null, (app) => app.fastify.userAccounts.rename('alice', 'alicia')),
  row('user.deleted', 'success', null, null, (app) => app.fastify.userAccounts.remove('alice')),
  row('config.update', 'success', null, null, async (app) => {
    new KeySetFile(app.keyFolder).replace([newStoredKey(0)])
    app.clock.advance(KEYS_READ_MS)
  }),
  row('config.update', 'failure', null, 'no key has its private part', async (app) => {
    const { d, ...verifying } = newStoredKey(0)
    app.secrets.add(d)
    new KeySetFile(app.keyFolder).replace([verifying])
    app.clock.advance(KEYS_READ_MS)
  })
]

function row(
  action: string,
  outcome: Provocation['outcome'],
  actor: string | null,
  reason: string | null,
  provoke: Provocation['provoke']
): Provocation {
  return { action, outcome, actor, reason, provoke }
}

/** A change by root. @param name of the user; `null` for none @param rest of the path, behind the user's */
async function changedUser(app: AuditedApp, method: string, name: string | null, rest: string, payload: object = {}) {
  const { person, proof } = await app.signedIn('root')
  const { items } = await app.fastify.userAccounts.list({}, {})
  const user = items.find(({ identifier }) => identifier === name)
  const target = user === undefined ? `${API}/users` : `${API}/users/${user.id}/${rest}`
  return person.call(method, target, { 'content-type': 'application/json', ...proof }, JSON.stringify(payload))
}

/** root acts as alice, and ceases to. */
async function impersonated(app: AuditedApp) {
  const { person, proof } = await app.signedIn('root')
  await person.post(`${API}/impersonation`, { user: 'alice', reason: 'ticket 7' }, proof)
  app.secrets.add(person.session)
  await person.call('DELETE', `${API}/impersonation`, await person.csrf())
  app.secrets.add(person.session)
}

/** @returns the id of alice's new key */
async function madeKey(app: AuditedApp): Promise<string> {
  const { person, proof } = await app.signedIn()
  const { id, token } = json(await person.post(`${API}/keys`, { name: 'robot' }, proof))
  app.secrets.add(String(token))
  return String(id)
}

async function madeCredential(app: AuditedApp) {
  const { person, proof } = await app.signedIn()
  const { challenge } = json(await person.post(`${API}/webauthn/register/options`, {}, proof))
  const response = madePasskey(String(challenge), PAGE, 'shop.example')
  await person.post(`${API}/webauthn/register/verify`, { response }, proof)
  return { person, proof, id: response.id }
}
