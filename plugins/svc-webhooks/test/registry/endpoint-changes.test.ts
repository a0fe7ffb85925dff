/** What a patch may set, and what it is refused for. */
import t from 'tap'
import type { EndpointPatch } from '../../src/registry/endpoint.ts'
import { checkEvents, endpointChanges } from '../../src/registry/endpoint-changes.ts'

t.test('the five fields pass, an absent one stays absent', async (t) => {
  const all = { url: 'https://a.example/', events: ['*'], enabled: false, description: null, metadata: { a: 1 } }
  t.strictSame(endpointChanges(all), all)
  t.strictSame(endpointChanges({}), {})
  t.strictSame(endpointChanges({ enabled: true }), { enabled: true })
})

t.test('nothing else does, whatever a body holds', async (t) => {
  const body = '{"id":"wh_2","secretEnc":"gcm1.x","failureCount":9,"createdBy":"me","tenantId":"t","enabled":true}'
  t.strictSame(endpointChanges(JSON.parse(body) as EndpointPatch), { enabled: true })
})

t.test('events that cannot be read', async (t) => {
  for (const json of ['null', '"*"', '[]', '[5]', '["a*"]', '["*",null]', '{}']) {
    const events = JSON.parse(json) as string[]
    const refusal = { code: 'SVC_WEBHOOKS_BAD_EVENTS', statusCode: 400 }
    t.throws(() => checkEvents(events), refusal, json)
    t.throws(() => endpointChanges({ events }), refusal, json)
  }
})
