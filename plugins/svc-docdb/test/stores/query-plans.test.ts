/** Each query that a store sends is answered from an index: its commands are recorded, and explained by the engine. */
import type { CommandStartedEvent, Db, Document } from 'mongodb'
import { sortFields } from 'svc-security/conformance'
import type { Direction } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import { webhookSort } from 'svc-webhooks/conformance'
import t, { type Test } from 'tap'
import { documents } from '../support/documents.ts'
import { BRICKS, documentStores } from '../support/every-store.ts'
import { connectionTo } from '../support/open-connection.ts'

type Stores = { readonly [Name in keyof typeof documentStores]: ReturnType<(typeof documentStores)[Name]> }

type Call = (stores: Stores) => unknown

interface Query {
  readonly collection: string
  readonly filter: Document
  readonly sort: Document
}

const UNKNOWN_COMMAND = 59

/** The order comes from an index, and nothing is sorted afterwards. */
const pages: [what: string, call: Call][] = [
  ['sessions of a user', ({ session }) => session.list({ user: 'a' }, {})],
  ['tokens of a subject', ({ tokens }) => tokens.list({ subject: 'a' }, {})],
  ['tokens of a kind', ({ tokens }) => tokens.list({ kind: 'apikey' }, {})],
  ['tokens of a tenant', ({ tokens }) => tokens.list({ tenantId: 'a' }, {})],
  ['active tokens', ({ tokens }) => tokens.list({ active: true }, {})],
  ['passkeys of a user', ({ passkeys }) => passkeys.list({ userId: 'a' }, {})],
  ['users that are enabled', ({ user }) => user.list({ enabled: true }, {})],
  ['users that are locked', ({ user }) => user.list({ locked: true }, {})],
  ['endpoints that are enabled', ({ webhooks }) => webhooks.list({ enabled: true }, {})],
  ['the journal', ({ audit }) => audit.list({}, { limit: 5 })],
  ['a category of the journal', ({ audit }) => audit.list({ category: 'auth' }, { limit: 5 })],
  ['an action of the journal', ({ audit }) => audit.list({ action: 'logout' }, { limit: 5 })],
  ['an outcome of the journal', ({ audit }) => audit.list({ outcome: 'denied' }, { limit: 5 })],
  ['an actor of the journal', ({ audit }) => audit.list({ actor: 'a' }, { limit: 5 })],
  ['the history of an endpoint', ({ history }) => history.list('a', {}, { limit: 5 })],
  ['an outcome of the history', ({ history }) => history.list('a', { outcome: 'failed' }, { limit: 5 })],
  ['a status of the history', ({ history }) => history.list('a', { status: 503 }, { limit: 5 })],
  ['an event of the history', ({ history }) => history.list('a', { event: 'logout' }, { limit: 5 })],
  ['a time of the history', ({ history }) => history.list('a', { since: 1, until: 2 }, { limit: 5 })],
  ['a message of the history', ({ history }) => history.find('a', 'msg_1')],
  ['the history beyond its number', ({ history }) => history.trim('a', 5)],
  ['a time of the journal', ({ audit }) => audit.list({ since: 1, until: 2 }, { limit: 5 })]
]

const directions: Direction[] = ['ASC', 'DESC']

for (const direction of directions) {
  for (const field of sortFields.session.fields) {
    pages.push([
      `sessions by ${field} ${direction}`,
      ({ session }) => session.list({}, { order: [[field, direction]] })
    ])
  }
  for (const field of sortFields.user.fields) {
    pages.push([`users by ${field} ${direction}`, ({ user }) => user.list({}, { order: [[field, direction]] })])
  }
  for (const field of sortFields.tokens.fields) {
    pages.push([`tokens by ${field} ${direction}`, ({ tokens }) => tokens.list({}, { order: [[field, direction]] })])
  }
  for (const field of sortFields.passkeys.fields) {
    pages.push([
      `passkeys by ${field} ${direction}`,
      ({ passkeys }) => passkeys.list({}, { order: [[field, direction]] })
    ])
  }
  for (const field of webhookSort.fields) {
    pages.push([
      `endpoints by ${field} ${direction}`,
      ({ webhooks }) => webhooks.list({}, { order: [[field, direction]] })
    ])
  }
}

const searches: [what: string, call: Call][] = [
  ['a session', ({ session }) => session.find('a')],
  ['touching a session', ({ session }) => session.touch('a')],
  ['writing a session', ({ session }) => session.update('a', { user: 'b' })],
  ['sessions of a user, removed', ({ session }) => session.destroyByUser('a', 'b')],
  ['sessions past a bound', ({ session }) => session.purge({ idleTimeoutS: 1, absoluteTimeoutS: 0 })],
  ['sessions past another bound', ({ session }) => session.purge({ idleTimeoutS: 0, absoluteTimeoutS: 1 })],
  ['sessions of a user, counted', ({ session }) => session.count({ user: 'a' })],
  ['a user by identifier', ({ user }) => user.findByIdentifier('a')],
  ['users of a role, counted', ({ user }) => user.count({ role: 'ROLE_A' })],
  ['administrators', ({ user }) => user.countAdministrators(['ROLE_A', 'ROLE_B'])],
  ['a family of tokens', ({ tokens }) => tokens.revokeFamily('a', 'reuse')],
  ['tokens of a subject, revoked', ({ tokens }) => tokens.revokeBySubject('a', 'gone')],
  ['passkeys of a user, removed', ({ passkeys }) => passkeys.removeByUser('a')],
  ['endpoints of an event', ({ webhooks }) => webhooks.count({ event: 'logout' })],
  ['endpoints that fail', ({ webhooks }) => webhooks.count({ failing: true })],
  ['deliveries that are due', ({ deliveries }) => deliveries.claim('a', 1, () => 1)],
  ['deliveries of an endpoint, rescheduled', ({ deliveries }) => deliveries.reschedule('a', 5)],
  ['deliveries of an endpoint, removed', ({ deliveries }) => deliveries.discard('a')],
  ['deliveries that a holder leaves', ({ deliveries }) => deliveries.heartbeat('a').then(() => deliveries.leave('a'))],
  ['deliveries that ended', ({ deliveries }) => deliveries.settle('a', { ended: ['b'], retried: [], released: ['c'] })],
  ['endpoints to deliver to', ({ webhooks }) => webhooks.enabled()],
  ['the journal past its retention', ({ audit }) => audit.purge(1)],
  ['the history past its age', ({ history }) => history.purge(1)],
  ['the history of an endpoint, removed', ({ history }) => history.forget('a')],
  ['answers past their time', ({ idempotency }) => idempotency.purge()]
]

t.test('query plans', { timeout: 120_000 }, async (t) => {
  const { uri } = await documents(t)
  const connection = connectionTo(t, { uri, debug: true })
  const clock = new ManualClock()
  const stores = Object.fromEntries(BRICKS.map((brick) => [brick, documentStores[brick](connection, clock)])) as Stores
  await connection.open()
  const db = connection.client.db(connection.target.database)
  if (!(await explains(db))) {
    t.comment('THIS ENGINE DOES NOT EXPLAIN ITS PLANS: whether indexes are used was not looked at')
    return
  }

  async function plansOf(call: Call): Promise<{ readonly query: Query; readonly plan: string }[]> {
    const queries: Query[] = []
    const record = ({ command, commandName }: CommandStartedEvent) => queries.push(...queriesOf(commandName, command))
    connection.client.on('commandStarted', record)
    await call(stores)
    connection.client.off('commandStarted', record)
    return Promise.all(
      queries.map(async (query) => {
        const { collection, filter, sort } = query
        return { query, plan: JSON.stringify(await db.command({ explain: { find: collection, filter, sort } })) }
      })
    )
  }

  async function check(t: Test, call: Call, sorted: boolean): Promise<void> {
    const plans = await plansOf(call)
    t.ok(plans.length > 0, 'queries were seen')
    for (const { query, plan } of plans) {
      t.match(plan, /"IXSCAN"/, `${query.collection} ${JSON.stringify(query.filter)} by ${JSON.stringify(query.sort)}`)
      if (sorted) t.notMatch(plan, /"SORT"/, 'in the order of the index')
    }
  }

  for (const [what, call] of pages) await t.test(`page: ${what}`, (t) => check(t, call, true))
  for (const [what, call] of searches) await t.test(what, (t) => check(t, call, false))
})

async function explains(db: Db): Promise<boolean> {
  try {
    await db.command({ explain: { find: 'any', filter: {} } })
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === UNKNOWN_COMMAND) return false
    throw error
  }
}

/** What a command looks for; inserts and the connection's own commands look for nothing. */
function queriesOf(name: string, command: Document): Query[] {
  const query = (filter: Document, sort: Document = {}): Query => ({ collection: command[name], filter, sort })
  switch (name) {
    case 'find':
      return [query(command.filter, plain(command.sort))]
    case 'findAndModify':
      return [query(command.query)]
    case 'update':
      return (command.updates as Document[]).map(({ q }) => query(q))
    case 'delete':
      return (command.deletes as Document[]).map(({ q }) => query(q))
    case 'aggregate':
      return [query((command.pipeline as Document[])[0]?.$match)]
    default:
      return []
  }
}

/** The driver keeps an order as a map. */
function plain(sort: unknown): Document {
  return sort instanceof Map ? Object.fromEntries(sort) : ((sort ?? {}) as Document)
}
