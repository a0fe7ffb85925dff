/** What a receiver answers to what: 400 for headers and time, 401 for the signature. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import t from 'tap'
import { decodeSecret, generateSecret, signMessage } from '../../src/signature/sign-message.ts'
import { type ReceivedWebhook, verifyWebhook } from '../../src/signature/verify-webhook.ts'

const NOW_S = 1_767_225_600
const secret = generateSecret()
const other = generateSecret()
const body = '{"type":"login.failure","data":{"actor":"Zoé"}}'
const sign = (by: string, timestamp = NOW_S, id = 'msg_1') => signMessage(decodeSecret(by), id, timestamp, body)
const now = () => NOW_S * 1000

function received(headers: Record<string, string | string[] | undefined> = {}): ReceivedWebhook {
  const signed = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(NOW_S), 'webhook-signature': sign(secret) }
  return { secret, headers: { ...signed, ...headers }, body, now }
}

t.strictSame(verifyWebhook(received()), { id: 'msg_1', timestamp: NOW_S })

type Row = [name: string, received: ReceivedWebhook, status: number, code: string, message: string]

const timestamps = [
  'junk',
  `${NOW_S}junk`,
  `${NOW_S}.0`,
  `+${NOW_S}`,
  `-${NOW_S}`,
  ' 1',
  '0x10',
  '1e9',
  'NaN',
  '9'.repeat(13)
]
const malformedTimestamps = timestamps.map((text): Row => {
  const given = received({ 'webhook-timestamp': text })
  return [`timestamp "${text}"`, given, 400, 'HEADERS', 'webhook-timestamp is malformed']
})

const refused: readonly Row[] = [
  ['no id', received({ 'webhook-id': undefined }), 400, 'HEADERS', 'webhook-id is missing'],
  ['no timestamp', received({ 'webhook-timestamp': undefined }), 400, 'HEADERS', 'webhook-timestamp is missing'],
  ['no signature', received({ 'webhook-signature': undefined }), 400, 'HEADERS', 'webhook-signature is missing'],
  ['an empty id', received({ 'webhook-id': '' }), 400, 'HEADERS', 'webhook-id is missing'],
  ['two ids', received({ 'webhook-id': ['msg_1', 'msg_2'] }), 400, 'HEADERS', 'webhook-id is given more than once'],
  ['an id with a full stop', received({ 'webhook-id': 'msg_1.2' }), 400, 'HEADERS', 'webhook-id is malformed'],
  ['an id with a space', received({ 'webhook-id': 'msg 1' }), 400, 'HEADERS', 'webhook-id is malformed'],
  ...malformedTimestamps,
  ['too old', received({ 'webhook-timestamp': `${NOW_S - 412}` }), 400, 'STALE', 'stale timestamp: 412 s'],
  ['too new', received({ 'webhook-timestamp': `${NOW_S + 301}` }), 400, 'STALE', 'timestamp in the future: 301 s'],
  ['another secret', received({ 'webhook-signature': sign(other) }), 401, 'SIGNATURE', 'bad signature'],
  [
    'another version',
    received({ 'webhook-signature': sign(secret).replace('v1', 'v1a') }),
    401,
    'SIGNATURE',
    'bad signature'
  ],
  ['upper case', received({ 'webhook-signature': sign(secret).toUpperCase() }), 401, 'SIGNATURE', 'bad signature'],
  [
    'comma-joined',
    received({ 'webhook-signature': `${sign(other)},${sign(secret)}` }),
    401,
    'SIGNATURE',
    'bad signature'
  ],
  ['unpadded', received({ 'webhook-signature': sign(secret).replace('=', '') }), 401, 'SIGNATURE', 'bad signature'],
  ['the body of another', { ...received(), body: `${body} ` }, 401, 'SIGNATURE', 'bad signature']
]

for (const [name, given, statusCode, code, message] of refused) {
  t.test(`refused: ${name}`, async (t) => {
    t.throws(() => verifyWebhook(given), { statusCode, code: `SVC_WEBHOOKS_${code}`, message })
  })
}

t.test('several signatures, and several secrets: one that fits is enough', async (t) => {
  const both = `${sign(other)} ${sign(secret)}`
  t.strictSame(verifyWebhook(received({ 'webhook-signature': both })).id, 'msg_1')
  t.strictSame(verifyWebhook({ ...received(), secret: [other, secret] }).id, 'msg_1')
  t.strictSame(verifyWebhook({ ...received(), secret: [secret, other] }).id, 'msg_1')
})

t.test('headers come from Node, from the web, and in any case', async (t) => {
  const plain = received().headers as Record<string, string>
  t.equal(verifyWebhook({ ...received(), headers: new Headers(plain) }).id, 'msg_1')
  const spelt = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name.toUpperCase(), value]))
  t.equal(verifyWebhook({ ...received(), headers: spelt }).id, 'msg_1')
  const distinct = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, [value]]))
  t.equal(verifyWebhook({ ...received(), headers: distinct }).id, 'msg_1', 'headersDistinct of Node')
  const signatures = [sign(other), sign(secret)]
  t.equal(verifyWebhook(received({ 'webhook-signature': signatures })).id, 'msg_1', 'each in a header of its own')
  t.throws(() => verifyWebhook(received({ 'webhook-signature': [] })), { code: 'SVC_WEBHOOKS_HEADERS' })
  t.throws(() => verifyWebhook({ ...received(), headers: new Headers() }), {
    code: 'SVC_WEBHOOKS_HEADERS',
    statusCode: 400
  })
})

t.test('the tolerance counts both ways and to the second; 0 takes only this second', async (t) => {
  const at = (timestamp: number, toleranceS?: number) => () =>
    verifyWebhook({
      ...received({ 'webhook-timestamp': String(timestamp), 'webhook-signature': sign(secret, timestamp) }),
      toleranceS
    })
  for (const [age, tolerance, holds] of [
    [300, undefined, true],
    [301, undefined, false],
    [-300, undefined, true],
    [-301, undefined, false],
    [0, 0, true],
    [1, 0, false],
    [3600, 3600, true]
  ] as const) {
    if (holds) t.doesNotThrow(at(NOW_S - age, tolerance), `${age} s under ${tolerance}`)
    else t.throws(at(NOW_S - age, tolerance), { code: 'SVC_WEBHOOKS_STALE' }, `${age} s under ${tolerance}`)
  }
})

t.test('mistakes of the receiver are not taken for a bad message', async (t) => {
  const parsed = JSON.parse(body) as string
  t.throws(() => verifyWebhook({ ...received(), body: parsed }), { name: 'TypeError', message: /raw body/ })
  for (const toleranceS of [Number.NaN, -1]) {
    t.throws(() => verifyWebhook({ ...received(), toleranceS }), { name: 'TypeError', message: /toleranceS/ })
  }
  t.throws(() => verifyWebhook({ ...received(), secret: 'whsec_short' }), { code: 'SVC_WEBHOOKS_BAD_SECRET' })
  const unset = process.env.NEVER_SET_BY_ANYBODY as string
  for (const none of [unset, [], [unset]]) {
    const missing = { code: 'SVC_WEBHOOKS_BAD_SECRET', message: 'the webhook secret is missing' }
    t.throws(() => verifyWebhook({ ...received(), secret: none }), missing)
  }
})

t.test('signatures are compared in constant time', async (t) => {
  const { timingSafeEqual } = crypto
  const compared: string[] = []
  const replace = (compare: typeof timingSafeEqual) => {
    crypto.timingSafeEqual = compare
    syncBuiltinESMExports()
  }
  t.teardown(() => replace(timingSafeEqual))
  replace((given, expected) => {
    compared.push(Buffer.from(given as Uint8Array).toString())
    return timingSafeEqual(given, expected)
  })
  const forged = sign(other)
  t.throws(() => verifyWebhook(received({ 'webhook-signature': forged })), { code: 'SVC_WEBHOOKS_SIGNATURE' })
  verifyWebhook(received())
  t.strictSame(compared, [forged, sign(secret)], 'whole signatures')
})
