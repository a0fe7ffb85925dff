/** How long a URL may be, as it is sent. */
import t from 'tap'
import { checkEvents, type EndpointPatch, endpointChanges, endpointUrl, MAX_URL } from '../../src/endpoints/endpoint.ts'

/** What a patch may set, and what it is refused for. */
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

const origin = 'https://a.example/'

t.equal(endpointUrl(new URL('HTTPS://A.Example')), origin, 'the normal form')
const longest = origin + 'x'.repeat(MAX_URL - origin.length)
t.equal(endpointUrl(new URL(longest)), longest)
const refusal = { code: 'SVC_WEBHOOKS_URL_REFUSED', statusCode: 422 }
t.throws(() => endpointUrl(new URL(`${longest}x`)), refusal)
t.throws(() => endpointUrl(new URL(origin + 'ü'.repeat(MAX_URL / 4))), refusal, 'six characters for each')
