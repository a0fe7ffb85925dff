/**
 * What routes answer, against what the OpenAPI document says they answer: every route of the preset `full`, its generated
 * CRUD routes too, for successes and for each refusal that a request can provoke.
 *
 * In a process of its own: the application is loaded from its folder, which becomes the current one.
 */
import { Validator } from '@seriousme/openapi-schema-validator'
import { TOTP } from 'otpauth'
import t from 'tap'
import { DescribedApi, type DescribedOperation } from '../support/described-api.ts'
import { failingDatabase } from '../support/failing-database.ts'
import { type Asked, Caller, fullApp, ORIGIN, PASSWORD } from '../support/full-app.ts'
import { madePasskey, passkeyPair, provenPasskey } from '../support/made-passkey.ts'
import { until } from '../support/until.ts'
import { WebhookReceiver } from '../support/webhook-receiver.ts'
import { askAccounts } from './described-accounts.ts'
import { MAY_BE_ABSENT } from './optional-properties.ts'

/** Operations of controllers of the preset without a schema for their answers. */
const UNDESCRIBED = new Set(['HelloController.hello', 'HomeController.home'])

/** Codes of what any route of its kind may answer. */
const GENERAL = new Set([
  'SVC_HTTP_VALIDATION',
  'SVC_SEC_UNAUTHENTICATED',
  'SVC_SEC_SESSION',
  'SVC_SEC_DENIED',
  'SVC_SEC_CROSS_SITE',
  'SVC_SEC_UNAVAILABLE',
  'SVC_ORM_UNAVAILABLE',
  'FST_ERR_CTP_INVALID_JSON_BODY',
  'FST_ERR_CTP_INVALID_MEDIA_TYPE',
  'FST_ERR_CTP_BODY_TOO_LARGE'
])

t.test('P4: answers are as the document says', { timeout: 0 }, async (t) => {
  const { fastify, provider } = await fullApp(t)
  const users: [string, string[]][] = [
    ['root', ['ROLE_SVC_ADMIN', 'ROLE_SVC_DATA', 'ROLE_SVC_DATA_WRITE']],
    // Owns the key of a machine: root asks for the deletion of the account, which ends every key.
    ['keeper', ['ROLE_SVC_DATA', 'ROLE_SVC_DATA_WRITE']],
    ['ann', []],
    ['victim', []]
  ]
  for (const [identifier, roles] of users) await fastify.userAccounts.create({ identifier, password: PASSWORD, roles })
  const document = fastify.swagger()
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
  t.ok(valid, JSON.stringify(errors))
  const api = new DescribedApi(document)
  const seen = new Map<string, Set<number>>([...api.operations.keys()].map((name) => [name, new Set()]))
  const caller = (headers = {}) => new Caller(fastify, headers)

  /** Asks, and holds the answer against the document. @param params of the path */
  async function call(who: Caller, name: string, params: Readonly<Record<string, string>> = {}, asked: Asked = {}) {
    const operation = api.operations.get(name)
    if (operation === undefined) throw new Error(`no operation is called ${name}`)
    const answer = await who.ask(operation.method, pathOf(operation, params), asked)
    const { statusCode: status, body } = answer
    const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0] ?? ''
    seen.get(name)?.add(status)
    if (!UNDESCRIBED.has(name) || status >= 400) t.strictSame(api.faults(name, { status, type, body }), [], name)
    const { code } = (status >= 400 ? answer.json() : {}) as { code?: string }
    if (code !== undefined && !GENERAL.has(code)) t.ok(api.namesCode(name, status, code), `${name} names ${code}`)
    return answer
  }
  const done = async (who: Caller, name: string, params = {}, asked: Asked = {}) => {
    const answer = await call(who, name, params, asked)
    t.ok(answer.statusCode < 400, `${name}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
    return answer.body === '' ? null : answer.json()
  }

  await t.test('every operation is described whole', (t) => {
    t.strictSame(
      api
        .optionalProperties()
        .filter((each) => !/^NotesController\./.test(each))
        .sort(),
      [...MAY_BE_ABSENT].sort()
    )
    t.match(api.operations.get('svc.auth.me')?.security, [{ session: [] }])
    for (const [name, statuses] of [
      ['svc.auth.login', ['200', '202', '400', '401', '403', '413', '415', '429', '503']],
      ['svc.users.roles', ['200', '400', '401', '403', '404', '409', '413', '415', '503']],
      ['NotesController.change', ['200', '400', '401', '403', '404', '409', '413', '415', '503']]
    ] as const) {
      t.strictSame(Object.keys(api.operations.get(name)?.responses ?? {}).sort(), [...statuses], name)
    }
    t.end()
  })

  await t.test('refusals', async (t) => {
    const { token } = await fastify.tokens.apiKeys.create('keeper', { name: 'narrow', scopes: [] })
    const machine = caller({ authorization: `Bearer ${token}` })
    const stranger = caller({ authorization: 'Bearer nothing' })
    const root = caller()
    const ann = caller()
    for (const [name, operation] of api.operations) {
      await root.signIn('root')
      await ann.signIn('ann')
      const unknown = (who: Caller, asked: Asked = {}) => call(who, name, {}, { ...bodyOf(operation), ...asked })
      for (const who of [caller(), stranger, ann, machine, root]) await unknown(who)
      await root.signIn('root')
      await unknown(root, { query: { nonsense: '1' } })
      await unknown(root, { headers: { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' } })
      if (operation.method === 'GET') continue
      await unknown(root, { body: '{"half":' })
      await unknown(root, { body: '<a/>', headers: { 'content-type': 'application/xml' } })
      await unknown(root, { body: { text: 'x'.repeat(2_000_000) } })
      await unknown(root, { headers: { 'idempotency-key': 'not printable \u00e9' } })
    }
    const met = new Set([...seen.values()].flatMap((statuses) => [...statuses]))
    t.strictSame(
      [400, 401, 403, 404, 413, 415].filter((status) => !met.has(status)),
      [],
      'each kind was met'
    )
  })

  await t.test('logins and accounts', async (t) => {
    const ann = caller()
    const login = { body: { username: 'ann', password: PASSWORD } }
    for (let tries = 0; tries < 20 && !seen.get('svc.auth.login')?.has(429); tries += 1) {
      await call(caller(), 'svc.auth.login', {}, { body: { username: 'victim', password: 'wrong' } })
    }
    t.ok(seen.get('svc.auth.login')?.has(429), 'too many tries were met')
    await done(ann, 'svc.auth.login', {}, login)
    await ann.readToken()
    await done(ann, 'svc.auth.me')
    await done(ann, 'svc.auth.csrf')
    await done(caller(), 'svc.auth.login', {}, login)
    const { sessions } = await done(ann, 'svc.auth.sessions')
    const other = (sessions as { ref: string; current: boolean }[]).find(({ current }) => !current)
    await done(ann, 'svc.auth.sessions.revoke', { ref: other?.ref ?? '' })
    await call(ann, 'svc.auth.sessions.revoke', { ref: other?.ref ?? '' })
    await done(ann, 'svc.auth.sessions.revoke-others')
    await done(ann, 'svc.auth.confirm', {}, { body: { password: PASSWORD } })
    await call(ann, 'svc.auth.confirm', {}, { body: { password: 'wrong' } })
    await call(ann, 'svc.auth.password', {}, { body: { current: PASSWORD, password: 'x' } })
    await done(ann, 'svc.auth.password', {}, { body: { current: PASSWORD, password: PASSWORD } })

    const tokens = await done(caller(), 'svc.token.issue', {}, login)
    await done(ann, 'svc.auth.grants')
    const next = await done(caller(), 'svc.token.refresh', {}, { body: { refresh_token: tokens.refresh_token } })
    await call(caller(), 'svc.token.refresh', {}, { body: { refresh_token: 'nothing' } })
    const { grants } = await done(ann, 'svc.auth.grants')
    await done(ann, 'svc.auth.grants.revoke', { ref: grants[0].ref })
    await done(caller(), 'svc.token.revoke', {}, { body: { token: next.refresh_token } })
    await done(caller(), 'svc.token.jwks')

    const made = await done(ann, 'svc.keys.create', {}, { body: { name: 'one', expiresInDays: 1 } })
    await done(ann, 'svc.keys.list')
    await done(ann, 'svc.keys.remove', { id: made.id })
    await call(ann, 'svc.keys.remove', { id: made.id })
    for (let count = 0; count < 100 && !seen.get('svc.keys.create')?.has(409); count += 1) {
      await call(ann, 'svc.keys.create', {}, { body: { name: `${count}` } })
    }

    const { challenge, user } = await done(ann, 'svc.webauthn.register.options')
    const pair = passkeyPair()
    const response = madePasskey(challenge, ORIGIN, 'localhost', pair)
    await done(ann, 'svc.webauthn.register.verify', {}, { body: { response, nickname: 'key' } })
    await call(ann, 'svc.webauthn.register.verify', {}, { body: { response } })
    await done(ann, 'svc.webauthn.credentials')
    const proof = async (who: Caller) => {
      const offered = await done(who, 'svc.webauthn.login.options')
      const asked = { challenge: offered.challenge, origin: ORIGIN, rpId: 'localhost', userHandle: user.id }
      return { body: { response: provenPasskey(response.id, pair.privateKey, asked) } }
    }
    const byPasskey = caller()
    await done(byPasskey, 'svc.webauthn.login.verify', {}, await proof(byPasskey))
    await done(ann, 'svc.auth.confirm.passkey', {}, await proof(ann))
    await call(ann, 'svc.auth.confirm.passkey', {}, await proof(byPasskey))

    const [social, home] = [caller(), { provider: 'home' }]
    const { url } = await done(ann, 'svc.oauth2.link', home)
    await done(ann, 'svc.oauth2.callback', home, { query: visited(provider.visit(url)) })
    const begun = await call(social, 'svc.oauth2.authorize', home)
    await done(social, 'svc.oauth2.callback', home, { query: visited(provider.visit(String(begun.headers.location))) })
    await social.readToken()
    await done(ann, 'svc.oauth2.accounts')
    await done(social, 'svc.oauth2.logout', home)
    await done(caller(), 'svc.oauth2.backchannel_logout', home, await provider.logoutRequest(Date.now()))
    await done(ann, 'svc.oauth2.unlink', home)

    await call(ann, 'svc.totp.confirm', {}, { body: { code: '000000' } })
    const { secret } = await done(ann, 'svc.totp.enroll')
    const totp = new TOTP({ secret })
    const code = (steps: number) => ({ body: { code: totp.generate({ timestamp: Date.now() + steps * 30_000 }) } })
    await call(ann, 'svc.totp.confirm', {}, { body: { code: '0' } })
    const { recoveryCodes } = await done(ann, 'svc.totp.confirm', {}, code(0))
    await done(ann, 'svc.totp.status')
    await call(ann, 'svc.totp.enroll')
    const second = caller()
    t.match(await done(second, 'svc.auth.login', {}, login), { mfaRequired: true })
    await call(second, 'svc.auth.login.totp', {}, { body: { code: '0' } })
    await done(second, 'svc.auth.login.totp', {}, code(1))
    await call(caller(), 'svc.token.issue', {}, login)
    await done(ann, 'svc.auth.confirm.totp', {}, { body: { code: recoveryCodes[0] } })
    const root = caller()
    await root.signIn('root')
    const { items } = await done(root, 'svc.users', {}, { query: { q: 'ann' } })
    await done(root, 'svc.users.factors', { id: items[0].id })
    await done(ann, 'svc.totp.disable', {}, { body: { code: recoveryCodes[1] } })
    await done(ann, 'svc.webauthn.rename', { id: response.id }, { body: { nickname: 'blue key' } })
    await done(ann, 'svc.webauthn.remove', { id: response.id })
    await done(ann, 'svc.auth.logout')
  })

  await t.test('administration', async (t) => {
    const root = caller()
    await root.signIn('root')
    const { id } = await done(
      root,
      'svc.users.create',
      {},
      { body: { identifier: 'new', password: PASSWORD, roles: ['ROLE_ODD'] } }
    )
    await call(root, 'svc.users.create', {}, { body: { identifier: 'new', password: PASSWORD } })
    await call(root, 'svc.users.create', {}, { body: { identifier: 'newer', password: 'x' } })
    await done(root, 'svc.users.roles', { id }, { body: { roles: ['ROLE_ADMIN'] } })
    await call(root, 'svc.users.roles', { id }, { body: { roles: [] }, headers: { 'if-match': '"1"' } })
    for (const word of ['', 's.lock', 's.unlock', 's.sessions.revoke', 's.disable', 's.enable', 's.access'])
      await done(root, `svc.user${word}`, { id })
    const gone = await done(root, 'svc.users.create', {}, { body: { identifier: 'gone', password: PASSWORD } })
    await done(root, 'svc.users.rename', { id: gone.id }, { body: { identifier: 'goner' } })
    await done(root, 'svc.users.delete', { id: gone.id })
    const { items: users } = await done(root, 'svc.users')
    const own = (users as { id: string; identifier: string }[]).find(({ identifier }) => identifier === 'root')
    await call(root, 'svc.users.lock', { id: own?.id ?? '' })

    const person = caller()
    await person.signIn('new')
    const { secret } = await done(person, 'svc.totp.enroll')
    await done(person, 'svc.totp.confirm', {}, { body: { code: new TOTP({ secret }).generate() } })
    await done(root, 'svc.users.factors.totp', { id })
    const { challenge } = await done(person, 'svc.webauthn.register.options')
    const response = madePasskey(challenge, ORIGIN, 'localhost')
    await done(person, 'svc.webauthn.register.verify', {}, { body: { response } })
    await done(root, 'svc.users.factors', { id })
    await done(root, 'svc.users.factors.passkey', { id, credential: response.id })
    await call(root, 'svc.users.factors.passkey', { id, credential: response.id })
    const { token: _, ...key } = await done(person, 'svc.keys.create', {}, { body: { name: 'k', scopes: ['a'] } })
    await done(root, 'svc.keys.all')
    await done(root, 'svc.keys.revoke', { id: key.id })
    const { items } = await done(root, 'svc.sessions', {}, { query: { user: 'new' } })
    await done(root, 'svc.sessions.revoke', { ref: items[0].ref })

    for (const name of ['svc.firewall', 'svc.roles', 'svc.matrix', 'svc.lints']) await done(root, name)
    for (const body of [
      { method: 'GET', path: '/svc/ops/metrics' },
      { method: 'PUT', path: '/api/notes/1', user: 'new' },
      { method: 'GET', path: '/nowhere', roles: ['ROLE_A'], scopes: ['b'] }
    ]) {
      await done(root, 'svc.explain', {}, { body })
    }

    const { items: events } = await done(root, 'svc.audit.events')
    await call(root, 'svc.audit.events', {}, { query: { cursor: 'x' } })
    await done(root, 'svc.audit.event', { id: events[0].id })
    await done(root, 'svc.audit.catalogue')
    t.equal((await call(root, 'svc.audit.export')).statusCode, 200)

    const { items: requests } = await done(root, 'svc.ops.requests')
    for (const each of requests.slice(0, 50)) await done(root, 'svc.ops.request', { id: each.id })
    for (const name of ['rates', 'system', 'history', 'health', 'ready', 'live']) await done(root, `svc.ops.${name}`)
    const { limits } = await done(root, 'svc.limits.list')
    await done(root, 'svc.limits.spending', {}, { query: { limit: limits[0].name } })
    await call(root, 'svc.limits.spending', {}, { query: { limit: 'none' } })
    await call(root, 'svc.ops.log-level', {}, { body: { level: 'fatal' } })
    t.equal((await call(root, 'svc.ops.metrics')).statusCode, 200)
  })

  await t.test('data', async (t) => {
    const root = caller()
    await root.signIn('root')
    const create = (body: object) => call(root, 'NotesController.create', {}, { body })
    const { id } = await done(root, 'NotesController.create', {}, { body: { title: 'a' } })
    await create({ title: 'b', body: 'text' })
    await create({ title: 7 })
    await done(root, 'NotesController.list')
    await call(root, 'NotesController.list', {}, { query: { order: 'nothing:ASC' } })
    await call(root, 'NotesController.list', {}, { query: { order: ['id:ASC', 'id:DESC'] } })
    await done(root, 'NotesController.read', { id })
    await done(root, 'NotesController.replace', { id }, { body: { title: 'c', body: null } })
    await done(root, 'NotesController.change', { id }, { body: { body: 'd' } })

    for (const name of ['orms', 'entities', 'graph', 'counts', 'health', 'schema', 'flow']) {
      await done(root, `svc.orm.${name}`)
      await call(root, `svc.orm.${name}`, {}, { query: { connector: 'none' } })
    }
    await done(root, 'svc.orm.entity', { name: 'Note' })
    await done(root, 'svc.orm.export', { format: 'dbml' })
    await call(root, 'svc.orm.export', { format: 'xml' })
    await done(root, 'svc.orm.rows', { name: 'Note' })
    for (const query of [{ where: 'x' }, { where: '{"none":1}' }, { order: 'x' }]) {
      await call(root, 'svc.orm.rows', { name: 'Note' }, { query })
    }
    const name = 'Note'
    const made = await done(root, 'svc.orm.rows.create', { name }, { body: { values: { title: 'made' } } })
    const row = { name, id: made.values.id }
    await done(root, 'svc.orm.row', row)
    await done(root, 'svc.orm.rows.change', row, { body: { values: { body: 'changed' } } })
    await done(root, 'svc.orm.rows.delete', row)
    await call(root, 'svc.orm.row', row)
    await done(root, 'NotesController.remove', { id })
    await call(root, 'NotesController.read', { id })
    t.ok(seen.get('NotesController.read')?.has(404))
  })

  await t.test('webhooks', async (t) => {
    const receiver = await WebhookReceiver.start(t)
    const root = caller()
    await root.signIn('root')
    const body = { url: receiver.url('/hook'), events: ['*'], headers: { 'x-mine': 'a' } }
    const key = { headers: { 'idempotency-key': 'once' } }
    const { endpoint } = await done(root, 'svc.webhooks.create', {}, { body, ...key })
    await done(root, 'svc.webhooks.create', {}, { body, ...key })
    await call(root, 'svc.webhooks.create', {}, { body: { ...body, events: ['login.success'] }, ...key })
    await call(root, 'svc.webhooks.create', {}, { body: { ...body, url: 'http://10.0.0.1/' } })
    t.ok(seen.get('svc.webhooks.create')?.has(422))
    const { id } = endpoint
    await done(root, 'svc.webhooks.find', { id })
    await done(root, 'svc.webhooks.update', { id }, { body: { description: 'x' } })
    await call(root, 'svc.webhooks.update', { id }, { body: { description: 'y' }, headers: { 'if-match': '"1"' } })
    await call(root, 'svc.webhooks.update', { id }, { body: { url: 'http://127.0.0.2/' } })
    await done(root, 'svc.webhooks.rotate', { id }, { body: { overlapS: 60 } })
    await done(root, 'svc.webhooks.reveal', { id })
    const { messageId } = await done(root, 'svc.webhooks.test', { id })
    await receiver.until(() => receiver.received.some(({ headers }) => headers['webhook-id'] === messageId))
    await done(root, 'svc.webhooks.list', {}, { query: { recent: 'true' } })
    await until(async () => {
      const { deliveries } = await done(root, 'svc.webhooks.deliveries', { id })
      return (deliveries as { messageId: string }[]).some((each) => each.messageId === messageId)
    }, 'the end of the delivery')
    await call(root, 'svc.webhooks.deliveries', { id }, { query: { cursor: 'x' } })
    await call(root, 'svc.webhooks.list', {}, { query: { order: 'nothing' } })
    await call(root, 'svc.webhooks.stats', {}, { query: { q: 'a', search: 'b' } })
    await done(root, 'svc.webhooks.resend', { id, messageId })
    await done(root, 'svc.webhooks.stats')
    await done(root, 'svc.webhooks.event-types')
    const job = await call(root, 'svc.webhooks.recover', { id }, { body: { since: Date.now() } })
    const begun = job.json() as { id?: string }
    await call(root, 'svc.webhooks.recovery', { id, job: begun.id ?? 'none' })
    await call(root, 'svc.webhooks.cancel-recovery', { id, job: begun.id ?? 'none' })
    await done(root, 'svc.webhooks.remove', { id })
  })

  await t.test('jobs and schedules', async () => {
    const root = caller()
    await root.signIn('root')
    const { id } = await fastify.jobs.add('notes.digest', {}, { delayS: 3600 })
    await call(root, 'svc.jobs.retry', { id })
    for (const name of ['get', 'cancel', 'retry']) await done(root, `svc.jobs.${name}`, { id })
    await done(root, 'svc.jobs.batch', { id: (await fastify.jobs.batch({ jobs: [] })).id })
    await done(root, 'svc.jobs.redrive', {}, { body: { state: 'failed' } })
    const schedule = { name: 'notes.digest' }
    for (const name of ['pause', 'resume', 'run']) await done(root, `svc.jobs.schedules.${name}`, schedule)
    const { number } = await until(() => fastify.mail.outbox.list()[0] ?? null, 'the mail of the job')
    for (const name of ['mail', 'html']) await call(root, `svc.mail.outbox.${name}`, { number: String(number) })
  })

  await t.test('accounts', () => askAccounts(fastify, { caller, call, done }))

  await t.test('an outage', async (t) => {
    const [root, ann] = [caller(), caller()]
    await Promise.all([root.signIn('root'), ann.signIn('ann')])
    failingDatabase(t)
    for (const [name, operation] of api.operations) {
      for (const who of [root, ann]) await call(who, name, {}, bodyOf(operation))
    }
    const asked = { body: { username: 'ann', password: PASSWORD } }
    t.equal((await call(caller(), 'svc.auth.login', {}, asked)).statusCode, 503)
    t.equal((await call(root, 'NotesController.list')).statusCode, 503)
  })

  t.strictSame(
    [...seen].filter(([, statuses]) => ![...statuses].some((status) => status < 400)).map(([name]) => name),
    [],
    'each operation answered a success once'
  )
})

const visited = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query))

/** What is not given is unknown to the application. */
function pathOf({ path }: DescribedOperation, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? UNKNOWN))
}

/** As long as a reference of a session. */
const UNKNOWN = 'unknown'.padEnd(43, '0')

function bodyOf({ method }: DescribedOperation): Asked {
  return method === 'GET' || method === 'DELETE' ? {} : { body: {} }
}
