/** Changes that meet: what is sealed changes as a whole, and nobody undoes what somebody else did in between. */
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { type WebhooksStore, webhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { openApp } from '../support/admin-app.ts'

const GIVEN = { url: 'https://a.example/hook', events: ['*'] }

/** An application whose next writes are met by another change, between reading and writing. */
async function metApp(t: Test) {
  const kept = inMemory(webhooksStore, { clock: new ManualClock() })
  const meetings: (() => Promise<unknown>)[] = []
  const webhooks = new Proxy(kept, {
    get: (target, name) => {
      const operation = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>
      if (name !== 'update') return operation.bind(target)
      return async (...given: unknown[]) => {
        await meetings.pop()?.()
        return operation.apply(target, given)
      }
    }
  }) as WebhooksStore
  const app = await openApp(t, { options: { parts: { stores: { webhooks } } } })
  const { id } = (await app.call('POST', '', GIVEN)).body.endpoint
  return { ...app, id, meetings }
}

t.test('headers that meet a rotation: both hold', async (t) => {
  const { call, fastify, id, meetings } = await metApp(t)
  let secret = ''
  meetings.push(async () => {
    secret = (await fastify.webhooks.rotate(id, { overlapS: 60 })).secret
  })
  const { body } = await call('PATCH', `/${id}`, { headers: { 'x-a': '1' } })
  t.strictSame(body.headers, ['x-a'])
  t.type(body.previousSecretEndsAt, 'number', 'the old secret still ends')
  t.equal(await fastify.webhooks.reveal(id), secret, 'the rotation holds')
})

t.test('a move that meets new headers does not take them along', async (t) => {
  const { call, fastify, id, meetings } = await metApp(t)
  meetings.push(() => fastify.webhooks.update(id, { headers: { authorization: 'sesame' } }))
  t.match(await call('PATCH', `/${id}`, { url: 'https://b.example/' }), {
    status: 400,
    body: { code: 'SVC_WEBHOOKS_HEADERS_STAY' }
  })
  t.equal((await call('GET', `/${id}`)).body.url, GIVEN.url)
})

t.test('met over and over: 409, and nothing of it is written', async (t) => {
  const { call, fastify, id, meetings } = await metApp(t)
  const rotate = async () => void (await fastify.webhooks.rotate(id))
  // Each rotation writes too: an empty meeting lets it.
  for (let attempt = 0; attempt < 5; attempt += 1) meetings.push(async () => {}, rotate)
  t.match(await call('PATCH', `/${id}`, { description: 'mine' }), { status: 409, body: { code: 'SVC_WEBHOOKS_BUSY' } })
  t.equal((await call('GET', `/${id}`)).body.description, null)
})
