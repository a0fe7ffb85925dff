/**
 * What lies in the collections: exactly the keys that are documented, ids and times
 * in the documented forms. Other programs read these documents too.
 */
import { type Document, Long, ObjectId } from 'mongodb'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { documents } from '../support/documents.ts'
import { documentStores } from '../support/every-store.ts'
import { connectionTo } from '../support/open-connection.ts'

const NOW = Date.UTC(2026, 0, 1)

interface Kept {
  /** `null`: an object id that the server's own rule has made. */
  readonly id: string | null
  readonly keys: readonly string[]
  /** Fields with a moment, all in one form. */
  readonly times: { readonly form: 'ms' | 'date'; readonly fields: readonly string[] }
}

const inMs = (...fields: string[]) => ({ form: 'ms' as const, fields })

const expected: Readonly<Record<string, Kept>> = {
  session: {
    id: null,
    keys: ['sessionId', 'user', 'content', 'flash', 'meta', 'createdAt', 'updatedAt'],
    times: inMs('createdAt', 'updatedAt')
  },
  User: {
    id: null,
    keys: [
      'identifier',
      'password',
      'roles',
      'enabled',
      'locked',
      'socialAccounts',
      'metadata',
      'createdAt',
      'updatedAt'
    ],
    times: { form: 'date', fields: ['createdAt', 'updatedAt'] }
  },
  // Never replaced: a column that holds null is absent.
  access_token: {
    id: 'jti-1',
    keys: [
      'kind',
      'name',
      'subject',
      'tenantId',
      'scopes',
      'secretHash',
      'family',
      'createdAt',
      'expiresAt',
      'lastUsedAt',
      'revokedAt',
      'revokedReason'
    ],
    times: inMs('createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt')
  },
  denied_jti: { id: 'jti-1', keys: ['expiresAt'], times: inMs('expiresAt') },
  subject_revocation: { id: 'alice', keys: ['invalidBefore'], times: inMs('invalidBefore') },
  webauthn_credential: {
    id: 'credential-1',
    keys: [
      'userId',
      'publicKey',
      'counter',
      'transports',
      'backupEligible',
      'backupState',
      'nickname',
      'createdAt',
      'lastUsedAt'
    ],
    times: inMs('createdAt', 'lastUsedAt')
  },
  webhook_endpoint: {
    id: 'wh_1',
    keys: [
      'url',
      'secretEnc',
      'events',
      'enabled',
      'description',
      'tenantId',
      'createdBy',
      'createdAt',
      'updatedAt',
      'lastDeliveryAt',
      'lastDeliveryStatus',
      'lastDeliveryError',
      'failureCount',
      'metadata'
    ],
    times: inMs('createdAt', 'updatedAt', 'lastDeliveryAt')
  },
  totp: {
    id: 'alice',
    keys: ['secretEnc', 'lastStep', 'recoveryHashes', 'createdAt', 'confirmedAt'],
    times: inMs('createdAt', 'confirmedAt')
  },
  audit_event: {
    id: 'aud_1',
    keys: [
      'ts',
      'category',
      'action',
      'outcome',
      'actor',
      'resource',
      'reason',
      'ip',
      'userAgent',
      'requestId',
      'metadata'
    ],
    times: inMs('ts')
  },
  idempotency_key: {
    id: 'key-1',
    keys: ['fingerprint', 'owner', 'answer', 'createdAt', 'expiresAt'],
    times: inMs('createdAt', 'expiresAt')
  }
}

t.test('raw documents', async (t) => {
  const { uri } = await documents(t)
  const connection = connectionTo(t, { uri })
  const clock = new ManualClock(NOW)
  const session = documentStores.session(connection, clock)
  const user = documentStores.user(connection, clock)
  const tokens = documentStores.tokens(connection, clock)
  const passkeys = documentStores.passkeys(connection, clock)
  const webhooks = documentStores.webhooks(connection, clock)
  const totp = documentStores.totp(connection, clock)
  const audit = documentStores.audit(connection, clock)
  const idempotency = documentStores.idempotency(connection, clock)
  await connection.open()

  await session.create({
    id: 'hash',
    user: 'alice',
    content: { cart: [1] },
    flash: { info: ['hi'] },
    meta: { ip: '::1' }
  })
  await session.touch('hash')
  const { id: userId } = await user.create({ identifier: 'alice', password: '$argon2id$', roles: ['ROLE_USER'] })
  await user.linkSocialAccount(userId, 'idp', 'subject')
  const token = {
    kind: 'apikey',
    name: 'laptop',
    subject: 'alice',
    tenantId: 'a',
    scopes: ['x:y'],
    family: 'f'
  } as const
  await tokens.create({ id: 'jti-1', ...token, secretHash: 'hash', expiresAt: NOW + 1000 })
  await tokens.markUsed('jti-1', 0)
  await tokens.revoke('jti-1', 'gone')
  await tokens.deny('jti-1', NOW + 1000)
  await tokens.invalidateBefore('alice', NOW)
  const credential = { userId, publicKey: 'key', counter: 0, transports: ['usb'], backupEligible: true, nickname: 'n' }
  await passkeys.save({ id: 'credential-1', ...credential, backupState: false })
  await passkeys.advance('credential-1', 1, true)
  const endpoint = {
    url: 'https://receiver.example/',
    secretEnc: 'gcm1.',
    events: ['login.*', 'logout'],
    enabled: true
  }
  const origin = { description: 'd', tenantId: 'a', createdBy: 'admin', metadata: { team: 'a' } }
  await webhooks.create({ id: 'wh_1', ...endpoint, ...origin })
  await webhooks.recordFailure('wh_1', 500, 'refused')
  await totp.enroll('alice', 'gcm1.')
  await totp.confirm('alice', 'gcm1.', 5, ['h1'])
  const told = { actor: 'alice', resource: 'r', reason: 'why', ip: '::1', userAgent: 'curl', requestId: 'req' }
  const event = { ts: NOW, category: 'auth', action: 'logout', outcome: 'success', ...told } as const
  await audit.append([{ id: 'aud_1', ...event, metadata: { a: 1 } }])
  const opening = await idempotency.begin('key-1', 'print', 1000)
  const owner = opening.state === 'started' ? opening.owner : ''
  await idempotency.complete('key-1', owner, { status: 200, headers: { a: 'b' }, body: '{}' })

  const { db } = connection.mongoose
  const names = ((await db?.listCollections().toArray()) ?? []).map(({ name }) => name)
  t.strictSame(names.sort(), Object.keys(expected).sort(), 'these collections and no others')

  for (const [name, kept] of Object.entries(expected)) {
    await t.test(name, async (t) => {
      const found = await db?.collection(name).find({}, { promoteLongs: false }).toArray()
      t.equal(found?.length, 1)
      checkDocument(t, found?.[0] ?? {}, kept)
      if (name === 'webhook_endpoint') t.strictSame(found?.[0]?.events, ['login.*', 'logout'])
    })
  }

  await t.test('a model shows the id as text, and no version key', async (t) => {
    const shown = (await connection.mongoose.model('webhook_endpoint').findOne({}))?.toJSON()
    t.match(shown, { id: 'wh_1', events: ['login.*', 'logout'] })
    t.match((await connection.mongoose.model('User').findOne({}))?.toJSON(), { id: userId })
    t.notOk(Object.hasOwn(shown ?? {}, '__v'))
  })
})

function checkDocument(t: Test, document: Document, { id, keys, times }: Kept): void {
  t.strictSame(Object.keys(document).sort(), ['_id', ...keys].sort(), 'these keys and no others')
  if (id === null) t.ok(document._id instanceof ObjectId, 'an object id')
  else t.equal(document._id, id)
  for (const field of times.fields) {
    const value: unknown = document[field]
    if (times.form === 'date') t.ok(value instanceof Date, `${field} is a date`)
    else t.ok(typeof value === 'number' || value instanceof Long, `${field} is a number`)
  }
}
