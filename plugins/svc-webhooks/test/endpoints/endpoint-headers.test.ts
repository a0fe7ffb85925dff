/** An endpoint's own headers: what may be sent, what the sender keeps to itself, and that no refusal shows a value. */
import t from 'tap'
import { checkHeaders } from '../../src/endpoints/endpoint-headers.ts'

const CODE = 'SVC_WEBHOOKS_BAD_HEADERS'

t.test('kept: names in lower case, values as they are', async (t) => {
  const rows: [Record<string, string>, Record<string, string>][] = [
    [{}, {}],
    [{ Authorization: 'Bearer a.b-c_d' }, { authorization: 'Bearer a.b-c_d' }],
    [
      { 'X-Team': 'a\tb  c', accept: '*/*' },
      { 'x-team': 'a\tb  c', accept: '*/*' }
    ],
    [{ "!#$%&'*+.^_`|~09": '~' }, { "!#$%&'*+.^_`|~09": '~' }],
    [{ constructor: '1' }, { constructor: '1' }]
  ]
  for (const [given, kept] of rows) t.strictSame({ ...checkHeaders(given) }, kept)
  const proto = checkHeaders(JSON.parse('{"__proto__":"1"}'))
  t.notOk(Object.keys(Object.prototype).includes('1'))
  t.equal(Object.getPrototypeOf(proto), null)
})

t.test('X7: no header says who asks, or what, to receivers that believe a proxy', async (t) => {
  for (const name of [
    ...['True-Client-IP', 'CF-Connecting-IP', 'cf-connecting-ipv6', 'client-ip', 'x-client-ip', 'x-cluster-client-ip'],
    ...['fastly-client-ip', 'x-azure-clientip', 'x-forwarded', 'x-forwarded-user', 'x-envoy-external-address'],
    ...['x-remote-user', 'remote-user', 'x-goog-authenticated-user-email', 'x-ms-client-principal-name'],
    ...['x-amzn-oidc-identity', 'cf-access-authenticated-user-email', 'x-auth-request-email', 'x-original-host'],
    ...['x-http-method-override', 'x-http-method', 'x-method-override', 'x-original-url', 'x-rewrite-url']
  ]) {
    t.throws(() => checkHeaders({ [name]: 'sesame' }), { code: 'SVC_WEBHOOKS_BAD_HEADERS' }, name)
  }
  for (const name of ['authorization', 'x-api-key', 'cf-access-client-id', 'cf-access-client-secret', 'x-tenant']) {
    t.ok(checkHeaders({ [name]: 'sesame' }), name)
  }
})

t.test('refused, without a word of the value', async (t) => {
  const reserved = [
    ...['Host', 'content-length', 'Content-Type', 'transfer-encoding', 'connection', 'keep-alive', 'te', 'trailer'],
    ...['upgrade', 'expect', 'user-agent', 'cookie', 'webhook-id', 'Webhook-Signature', 'svix-id', 'proxy-connection'],
    ...['proxy-authorization', 'x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'content-encoding', 'date']
  ].map((name) => ({ [name]: 'sesame' }))
  const values = [
    '',
    ' sesame',
    'sesame ',
    'sesame\r\nx: y',
    'sesame\n',
    'sesame\0',
    'sésame',
    'sesame\x7f',
    'x'.repeat(4097)
  ]
  const names = ['', 'a b', 'a:b', 'a\r\nb', 'ä', 'x'.repeat(65)]
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, 'sesame']))
  const large = { a: 'sesame'.repeat(600), b: 'sesame'.repeat(600) }
  const rows: unknown[] = [
    ...reserved,
    ...values.map((value) => ({ 'x-a': value })),
    ...names.map((name) => ({ [name]: 'sesame' })),
    ...[many, large, { 'X-A': 'sesame', 'x-a': 'sesame' }, { 'x-a': 1 }, { 'x-a': null }, [], null, 'sesame']
  ]
  for (const given of rows) {
    const error = t.throws(() => checkHeaders(given as never), { code: CODE, statusCode: 400 }, JSON.stringify(given))
    t.notMatch(String((error as unknown as Error).message), /s[eé]same/, 'no value')
  }
})
