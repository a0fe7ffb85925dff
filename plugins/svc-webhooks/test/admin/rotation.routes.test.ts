/** Rotation with an overlap: both secrets sign until the old one ends, and verifiers of others accept with either. */
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import t from 'tap'
import { openCredentials, rotated, sealCredentials } from '../../src/endpoints/endpoint-credentials.ts'
import { webhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { generateSecret } from '../../src/signature/sign-message.ts'
import { verifyWebhook } from '../../src/signature/verify-webhook.ts'
import { openApp } from '../support/admin-app.ts'
import { aDispatcher, anEndpoint, LOGIN, settle } from '../support/delivery-fixtures.ts'

const GIVEN = { url: 'https://a.example/hook', events: ['*'], headers: { Authorization: 'Bearer sesame' } }

t.test('the old secret is shown as ending, and its end is over in time', async (t) => {
  const { call, clock, journal } = await openApp(t)
  const { id } = (await call('POST', '', GIVEN)).body.endpoint
  const rotation = await call('POST', `/${id}/rotate`, { overlapS: 3600 })
  t.match(rotation, { status: 200, body: { endpoint: { previousSecretEndsAt: clock.now() + 3_600_000 } } })
  t.strictSame(rotation.body.endpoint.headers, ['authorization'], 'headers stay')
  t.strictSame(
    (await call('POST', `/${id}/reveal`)).body,
    { secret: rotation.body.secret },
    'the new one alone is shown'
  )
  t.match(journal.records.at(-2), { action: 'webhook.rotated', metadata: { overlapS: 3600 } })
  clock.advance(3_600_000)
  t.equal((await call('GET', `/${id}`)).body.previousSecretEndsAt, null)
  const [listed] = (await call('GET')).body.endpoints
  t.notOk('previousSecretEndsAt' in listed || 'headers' in listed, 'a listing reads nothing that is sealed')
})

t.test('bounds: 0 is at once, a week the most', async (t) => {
  const { call, fastify } = await openApp(t)
  const { id } = (await call('POST', '', GIVEN)).body.endpoint
  t.equal((await call('POST', `/${id}/rotate`, { overlapS: 0 })).body.endpoint.previousSecretEndsAt, null)
  t.equal((await call('POST', `/${id}/rotate`, { overlapS: 604_800 })).status, 200)
  for (const overlapS of [-1, 604_801, 1.5, 'x', null]) {
    t.match(await call('POST', `/${id}/rotate`, { overlapS }), { status: 400, body: { code: 'SVC_HTTP_VALIDATION' } })
    await t.rejects(fastify.webhooks.rotate(id, { overlapS: overlapS as never }), { code: 'SVC_WEBHOOKS_BAD_OVERLAP' })
  }
  t.equal((await call('POST', '/wh_x/rotate', { overlapS: 5 })).status, 404)
})

t.test('what is sealed under another key cannot overlap, and can be replaced', async (t) => {
  const first = await openApp(t)
  const { id } = (await first.call('POST', '', GIVEN)).body.endpoint
  const { store: webhooks } = first.fastify.stores.select(webhooksStore, 'auto')
  const stores = webhooks === null ? {} : { webhooks }
  const other = { encryptionKey: Buffer.alloc(32, 8).toString('base64'), parts: { stores } }
  const { call } = await openApp(t, { options: other })
  t.match(await call('POST', `/${id}/rotate`, { overlapS: 5 }), {
    status: 409,
    body: { code: 'SVC_WEBHOOKS_SECRET_UNREADABLE' }
  })
  t.notOk('headers' in (await call('GET', `/${id}`)).body, 'what cannot be read is not said to be none')
  t.match(await call('POST', `/${id}/rotate`, {}), { status: 200, body: { endpoint: { headers: [] } } })
})

t.test('rotations at once: each answered secret signed last or is the one before', async (t) => {
  const { call, fastify } = await openApp(t)
  const { id } = (await call('POST', '', GIVEN)).body.endpoint
  const answers = await Promise.allSettled(
    Array.from({ length: 3 }, () => fastify.webhooks.rotate(id, { overlapS: 60 }))
  )
  const done = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.secret] : []))
  t.equal(done.length, 3)
  t.ok(done.includes(await fastify.webhooks.reveal(id)))
  t.strictSame((await call('GET', `/${id}`)).body.headers, ['authorization'])
})

t.test('both sign until the end; verifiers of others accept with either', async (t) => {
  const fixture = aDispatcher()
  const { dispatcher, store, secrets, transport, audit, clock } = fixture
  const [old, fresh] = [generateSecret(), generateSecret()]
  const { id, secretEnc } = await anEndpoint(fixture, { secret: old })
  clock.advance(Date.now() - clock.now())
  const now = clock.now()
  const after = rotated(openCredentials(secrets, secretEnc), fresh, { overlapS: 100, now })
  await store.update(id, { secretEnc: sealCredentials(secrets, after) })
  await dispatcher.start()
  t.teardown(() => dispatcher.close())

  const send = async () => {
    audit.record(LOGIN)
    await settle()
    const { headers = {}, body = Buffer.alloc(0) } = transport.sent.at(-1) ?? {}
    return { headers: { ...(headers as Record<string, string>) }, body }
  }
  const during = await send()
  t.match(during.headers['webhook-signature'], /^v1,\S+ v1,\S+$/)
  for (const secret of [old, fresh]) {
    for (const Verifier of [StandardWebhook, SvixWebhook]) {
      t.equal((new Verifier(secret).verify(during.body, during.headers) as { type: string }).type, 'login.failure')
    }
    t.ok(verifyWebhook({ secret, ...during, now: () => clock.now() }).id)
  }
  t.throws(() => new StandardWebhook(generateSecret()).verify(during.body, during.headers))

  clock.advance(100_000)
  const later = await send()
  t.match(later.headers['webhook-signature'], /^v1,\S+$/)
  t.throws(() => verifyWebhook({ secret: old, ...later, now: () => clock.now() }), { code: 'SVC_WEBHOOKS_SIGNATURE' })
  t.ok(verifyWebhook({ secret: fresh, ...later, now: () => clock.now() }).id)
})
