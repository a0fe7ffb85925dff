/** The check at registration: resolvers of every kind, the deadline, and options that plain JavaScript hands over. */
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import type { Lookup, ResolvedAddress } from '../../src/ssrf/lookup.ts'
import { assertUrlAllowed, type UrlCheckOptions } from '../../src/ssrf/url-guard.ts'
import { HeldPromise } from '../support/held-promise.ts'

const URL_OF_A_NAME = 'https://hooks.example.com/in?token=s3cret'

const refusal = (reason: string) => ({ code: 'SVC_WEBHOOKS_URL_REFUSED', reason })

const answers =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address, family: 4 }))

function fails(code?: string): Lookup {
  return () =>
    Promise.reject(Object.assign(new Error('look-up of 10.0.0.5 failed'), code === undefined ? {} : { code }))
}

const refused: readonly [name: string, reason: string, options: UrlCheckOptions][] = [
  ['one internal among public addresses', 'address', { lookup: answers('8.8.8.8', '10.0.0.1', '1.1.1.1') }],
  ['an internal IPv6 address behind a public IPv4 one', 'address', { lookup: answers('8.8.8.8', 'fd00::1') }],
  ['a mapped internal address', 'address', { lookup: answers('::ffff:a00:1') }],
  ['a zone', 'address', { lookup: answers('2606:4700::1111%eth0') }],
  ['no address', 'address', { lookup: answers('not an address') }],
  ['an empty text', 'address', { lookup: answers('') }],
  ['an answer with a hole', 'address', { lookup: async () => JSON.parse('[null]') as ResolvedAddress[] }],
  ['an address that is no text', 'address', { lookup: async () => JSON.parse('[{"address":["8.8.8.8","1"]}]') }],
  ['an empty answer', 'unresolvable', { lookup: answers() }],
  ['no such name', 'unresolvable', { lookup: fails('ENOTFOUND') }],
  ['a name without addresses', 'unresolvable', { lookup: fails('ENODATA') }],
  ['an error that says nothing', 'unresolvable', { lookup: fails() }],
  ['a resolver that is busy', 'resolver', { lookup: fails('EAI_AGAIN') }],
  ['a resolver that fails', 'resolver', { lookup: fails('ESERVFAIL') }],
  ['a resolver that is silent', 'resolver', { lookup: fails('ETIMEOUT') }],
  ['a resolver that throws at once', 'unresolvable', { lookup: () => JSON.parse('rubbish') as never }]
]

for (const [name, reason, options] of refused) {
  t.test(`refused: ${name}`, async (t) => {
    const error = await t.rejects(assertUrlAllowed(URL_OF_A_NAME, options), {
      name: 'SsrfError',
      statusCode: 422,
      code: 'SVC_WEBHOOKS_URL_REFUSED',
      reason
    })
    t.notMatch(String(error), /example|s3cret|10\.0|fd00|look-up/, 'the text names no host, no address, no cause')
  })
}

t.test('inside and not there read the same', async (t) => {
  const text = (lookup: Lookup) =>
    assertUrlAllowed(URL_OF_A_NAME, { lookup }).then(
      () => 'allowed',
      (error: unknown) => String(error)
    )
  t.equal(await text(answers('10.0.0.1')), await text(fails('ENOTFOUND')))
})

t.test('what passes: the normal form, and the checked addresses in one spelling', async (t) => {
  const { url, addresses } = await assertUrlAllowed('HTTPS://Hooks.EXAMPLE.com:443/a b', {
    lookup: answers('8.8.8.8', '::ffff:1.1.1.1', '2606:4700:0:0::1111')
  })
  t.equal(url.href, 'https://hooks.example.com/a%20b')
  t.strictSame(addresses, [
    { address: '8.8.8.8', family: 4 },
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1111', family: 6 }
  ])
})

t.test('a URL may be given as one; anything else that is no text cannot be read', async (t) => {
  const { url } = await assertUrlAllowed(new URL(URL_OF_A_NAME), { lookup: answers('8.8.8.8') })
  t.equal(url.href, URL_OF_A_NAME)
  await t.rejects(assertUrlAllowed(new URL('file:///etc/passwd')), refusal('scheme'))
  for (const json of ['null', '5', '{}', '["https://8.8.8.8/"]']) {
    await t.rejects(assertUrlAllowed(JSON.parse(json) as string), refusal('url'), json)
  }
})

t.test('an address as the host is not looked up', async (t) => {
  const lookup: Lookup = () => Promise.reject(new Error('asked'))
  t.strictSame((await assertUrlAllowed('https://8.8.8.8/', { lookup })).addresses, [{ address: '8.8.8.8', family: 4 }])
  t.strictSame((await assertUrlAllowed('https://[2606:4700::1111]/', { lookup })).addresses, [
    { address: '2606:4700::1111', family: 6 }
  ])
  await t.rejects(assertUrlAllowed('https://127.1/', { lookup }), refusal('address'))
})

t.test('a name that takes too long is refused, and its late answer ignored', async (t) => {
  const clock = new ManualClock()
  const answer = new HeldPromise<ResolvedAddress[]>()
  const check = assertUrlAllowed(URL_OF_A_NAME, { lookup: () => answer.promise, clock, deadlineMs: 100 })
  clock.advance(99)
  t.equal(clock.pending, 1)
  clock.advance(1)
  await t.rejects(check, refusal('resolver'))
  answer.reject(new Error('too late'))
  await t.rejects(answer.promise)
})

t.test('no timer stays behind', async (t) => {
  const clock = new ManualClock()
  await assertUrlAllowed(URL_OF_A_NAME, { lookup: answers('8.8.8.8'), clock })
  await t.rejects(assertUrlAllowed(URL_OF_A_NAME, { lookup: answers('10.0.0.1'), clock }))
  t.equal(clock.pending, 0)
})

t.test(
  'without the check of addresses no name is looked up; form, scheme and credentials are still judged',
  async (t) => {
    const open: UrlCheckOptions = { denyPrivateIps: false, lookup: () => Promise.reject(new Error('asked')) }
    t.strictSame((await assertUrlAllowed('https://localhost/', open)).addresses, [])
    t.strictSame((await assertUrlAllowed('https://10.0.0.1/', open)).addresses, [])
    await t.rejects(assertUrlAllowed('http://localhost/', open), refusal('scheme'))
    await t.rejects(assertUrlAllowed('https://u:p@localhost/', open), refusal('credentials'))
  }
)

t.test('an option that is undefined or null opens nothing', async (t) => {
  for (const nothing of ['undefined', 'null']) {
    const value = nothing === 'null' ? null : undefined
    const given = { lookup: answers('10.0.0.1') }
    Object.assign(given, { denyPrivateIps: value, allowHttp: value, allowCidrs: value })
    await t.rejects(assertUrlAllowed(URL_OF_A_NAME, given), refusal('address'), nothing)
    await t.rejects(assertUrlAllowed('http://hooks.example.com/', given), refusal('scheme'), nothing)
  }
})

t.test('the system resolves names unless told otherwise', async (t) => {
  await t.rejects(assertUrlAllowed('https://localhost/'), refusal('address'))
  const { addresses } = await assertUrlAllowed('https://localhost/', { allowCidrs: ['127.0.0.0/8', '::1/128'] })
  t.ok(addresses.length > 0)
})
