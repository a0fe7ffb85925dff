/** An endpoint's own headers over HTTP: names are shown, values never, and they do not follow the endpoint elsewhere. */
import t from 'tap'
import { sealCredentials } from '../../src/endpoints/endpoint-credentials.ts'
import { webhooksStore } from '../../src/endpoints/endpoint-store.ts'
import { generateSecret } from '../../src/signature/sign-message.ts'
import { openApp } from '../support/admin-app.ts'
import { aDispatcher, anEndpoint, LOGIN, settle } from '../support/delivery-fixtures.ts'

const SESAME = 'Bearer sesame-42'
const GIVEN = { url: 'https://a.example/hook', events: ['*'], headers: { Authorization: SESAME, 'X-Team': 'a' } }

t.test('names are shown; a value is in no answer, log, journal or column', async (t) => {
  const { call, fastify, journal, lines } = await openApp(t)
  const made = await call('POST', '', GIVEN)
  const answers = [made]
  const { id } = made.body.endpoint
  t.strictSame(made.body.endpoint.headers, ['authorization', 'x-team'])
  answers.push(await call('GET', `/${id}`), await call('GET'), await call('PATCH', `/${id}`, { description: 'x' }))
  t.strictSame(answers[1]?.body.headers, ['authorization', 'x-team'])
  answers.push(await call('PATCH', `/${id}`, { headers: { 'x-other': SESAME } }))
  t.strictSame(answers.at(-1)?.body.headers, ['x-other'], 'a change replaces them all')
  t.match(journal.records.at(-1), { action: 'webhook.updated', metadata: { fields: ['headers'] } })
  answers.push(await call('POST', '', { ...GIVEN, headers: { host: SESAME } }))
  t.match(answers.at(-1), { status: 400, body: { code: 'SVC_WEBHOOKS_BAD_HEADERS' } })
  answers.push(await call('POST', '', { ...GIVEN, headers: { 'x-a': `${SESAME}\n` } }))
  t.equal(answers.at(-1)?.status, 400)
  const record = await fastify.stores.select(webhooksStore, 'auto').store?.find(id)
  t.notMatch(JSON.stringify([answers, journal.records, lines, record]), /sesame/)
  t.equal((await call('PATCH', `/${id}`, { headers: {} })).body.headers.length, 0)
})

t.test('another origin needs the headers anew; the same one, a rotation and a rename keep them', async (t) => {
  const { call } = await openApp(t)
  const { id } = (await call('POST', '', GIVEN)).body.endpoint
  const elsewhere = { url: 'https://b.example/hook' }
  t.match(await call('PATCH', `/${id}`, elsewhere), { status: 400, body: { code: 'SVC_WEBHOOKS_HEADERS_STAY' } })
  t.equal((await call('GET', `/${id}`)).body.url, GIVEN.url, 'nothing was changed')
  t.strictSame((await call('PATCH', `/${id}`, { url: 'https://a.example/2' })).body.headers, [
    'authorization',
    'x-team'
  ])
  t.match(await call('PATCH', `/${id}`, { ...elsewhere, headers: {} }), { status: 200, body: { headers: [] } })
  t.equal((await call('PATCH', `/${id}`, { url: 'https://c.example/' })).status, 200, 'there are none to stay')
})

t.test('what is sent has them, and what the sender says itself wins', async (t) => {
  const fixture = aDispatcher()
  const { dispatcher, secrets, transport, audit, lines } = fixture
  const headers = { authorization: SESAME, 'webhook-id': 'forged' }
  const secretEnc = sealCredentials(secrets, { secret: generateSecret(), previous: null, headers })
  await anEndpoint(fixture, { secretEnc })
  await dispatcher.start()
  t.teardown(() => dispatcher.close())
  audit.record(LOGIN)
  await settle()
  const sent = transport.sent[0]?.headers as Record<string, string>
  t.equal(sent.authorization, SESAME)
  t.match(sent['webhook-id'], /^msg_/)
  t.notMatch(JSON.stringify([dispatcher.deliveries('wh_1'), lines, audit.records]), /sesame/)
})
