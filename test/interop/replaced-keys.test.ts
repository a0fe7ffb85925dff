/** X8: the key of secrets at rest is replaced: each is opened under either key, and sealed anew without being asked for. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import svcAudit from 'svc-audit'
import type { ModuleEntry } from 'svc-host'
import { SecretBox } from 'svc-kernel/plugin'
import svcOrm from 'svc-orm'
import { totpStore } from 'svc-security/stores'
import svcSqlorm from 'svc-sqlorm'
import { ensureStores } from 'svc-stores'
import svcWebhooks from 'svc-webhooks'
import { webhooksStore } from 'svc-webhooks/stores'
import t, { type Test } from 'tap'
import { onEveryDatabase } from '../support/entity-databases.ts'
import { startApp } from '../support/start-app.ts'
import { until } from '../support/until.ts'

const [former, next, foreign] = [0, 1, 2].map(() => randomBytes(32).toString('base64')) as [string, string, string]
const TOTP = 'svc-security/totp'
const WEBHOOKS = 'svc-webhooks/secret'
const ROWS = 250

type Stores = ReturnType<typeof selected>

function selected(fastify: FastifyInstance) {
  const totp = fastify.stores.select(totpStore, 'auto').store
  const webhooks = fastify.stores.select(webhooksStore, 'auto').store
  if (totp === null || webhooks === null) throw new Error('no store')
  return { totp, webhooks }
}

/** Puts `ROWS` enrolments and endpoints under the former key, and one of each under a key that nobody lists. */
async function fill({ totp, webhooks }: Pick<Stores, 'webhooks'> & Partial<Stores>): Promise<void> {
  for (let index = 0; index <= ROWS; index += 1) {
    const key = index === ROWS ? foreign : former
    await totp?.enroll(`user ${index}`, new SecretBox(key, TOTP).seal(`totp ${index}`))
    await webhooks.create({
      id: `wh_${index}`,
      url: 'https://receiver.example/',
      secretEnc: new SecretBox(key, WEBHOOKS).seal(`whsec ${index}`),
      events: ['*'],
      enabled: false,
      description: '',
      tenantId: '',
      createdBy: 'root',
      metadata: {}
    })
  }
}

t.test('X8: every secret of a store rests under the first key afterwards, on every database', async (t) => {
  await onEveryDatabase(t, [], async (t, database) => {
    const opened: Stores[] = []
    const stores = fp(async (fastify: FastifyInstance) => {
      await ensureStores(fastify)
      opened.push(selected(fastify))
    })
    await startApp(t, { mode: 'test', security: false, modules: [...database, stores] })
    const { totp, webhooks } = opened[0] as Stores
    await fill({ totp, webhooks })
    const counts = { resealed: ROWS, unreadable: 1 }
    t.strictSame(await totp.reseal?.(new SecretBox([next, former], TOTP), () => false), counts)
    t.strictSame(await webhooks.reseal?.(new SecretBox([next, former], WEBHOOKS), () => false), counts)
    const again = { resealed: 0, unreadable: 1 }
    t.strictSame(await totp.reseal?.(new SecretBox([next, former], TOTP), () => false), again, 'done once')
    for (const index of [0, 99, 100, 101, 249]) {
      const { secretEnc } = (await totp.find(`user ${index}`)) ?? { secretEnc: '' }
      t.equal(new SecretBox(next, TOTP).open(secretEnc), `totp ${index}`)
      const endpoint = await webhooks.find(`wh_${index}`)
      t.equal(new SecretBox(next, WEBHOOKS).open(endpoint?.secretEnc ?? ''), `whsec ${index}`)
    }
  })
})

async function booted(t: Test, url: string, encryptionKey: string | string[]) {
  const modules: ModuleEntry[] = [
    [svcOrm, { parts: { entities: [] } }],
    [svcSqlorm, { connectors: { default: { url } } }],
    svcAudit,
    [svcWebhooks, { encryptionKey, denyPrivateIps: false }],
    fp(async (fastify: FastifyInstance) => {
      // An administrator who needs no proof: what is looked at is the key.
      fastify.accessGate.use({ allows: () => true })
    })
  ]
  const app = await startApp(t, { mode: 'production', security: false, before: [], modules })
  return app
}

/** The events of the takeover. */
function resealed({ audit }: FastifyInstance) {
  return audit.recent(100).filter(({ action }) => action === 'secrets.resealed')
}

function counted({ stores }: FastifyInstance) {
  return stores.sealed.find(({ name }) => name === 'secrets of webhooks')?.count()
}

t.test('X8: secrets are counted by their key, and a count changes none; what no key opens is a failure', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'shop.db')}`
  const app = await booted(t, url, former)
  const webhooks = app.fastify.stores.select(webhooksStore, 'auto').store
  if (webhooks === null) throw new Error('no store')
  await fill({ webhooks })
  for (const _ of [1, 2]) {
    t.strictSame(await counted(app.fastify), { first: ROWS, former: 0, unreadable: 1 })
  }
  await app.fastify.close()
  const later = await booted(t, url, [next, former])
  await until(() => resealed(later.fastify).length > 0, 'the event')
  t.match(resealed(later.fastify), [
    {
      outcome: 'failure',
      reason: /not in the list/,
      resource: 'secrets of webhooks',
      metadata: { resealed: ROWS, unreadable: 1 }
    }
  ])
  t.strictSame(await counted(later.fastify), { first: ROWS, former: 0, unreadable: 1 })
})

t.test('X8: an application takes a new key over by two starts, and then does without the former', async (t) => {
  const url = `sqlite:${join(t.testdir(), 'shop.db')}`
  const first = await booted(t, url, former)
  const store = first.fastify.stores.select(webhooksStore, 'auto').store
  await store?.create({
    id: 'wh_a',
    url: 'https://receiver.example/',
    secretEnc: new SecretBox(former, WEBHOOKS).seal('whsec_a'),
    events: ['*'],
    enabled: false,
    description: '',
    tenantId: '',
    createdBy: 'root',
    metadata: {}
  })
  await first.fastify.close()
  const both = await booted(t, url, [next, former])
  await until(
    () => both.lines.some(({ msg }) => /all secrets of webhooks are encrypted with the first key/.test(String(msg))),
    'the line of the log'
  )
  t.match(resealed(both.fastify), [{ outcome: 'success', reason: null, metadata: { resealed: 1, unreadable: 0 } }])
  t.strictSame(await counted(both.fastify), { first: 1, former: 0, unreadable: 0 })
  await both.fastify.close()
  const { fastify } = await booted(t, url, next)
  t.strictSame(resealed(fastify), [], 'one key has nothing to take over')
  const kept = await fastify.stores.select(webhooksStore, 'auto').store?.find('wh_a')
  t.equal(new SecretBox(next, WEBHOOKS).open(kept?.secretEnc ?? ''), 'whsec_a')
})

t.test('X8: a key of the list that is none is refused at boot, and its text is not shown', async (t) => {
  const start = booted(t, `sqlite:${join(t.testdir(), 'shop.db')}`, [next, 'no-key-at-all'])
  const error = await start.then(
    () => null,
    (thrown: { code?: string; message?: string }) => thrown
  )
  t.equal(error?.code, 'SVC_WEBHOOK_KEY_INVALID')
  t.notMatch(error?.message, /no-key-at-all/)
})
