/** What is kept of a URL and of headers, as a table. */
import t from 'tap'
import { keptHeaders, redactedUrl } from '../../src/requests/redacted-url.ts'

type Params = Readonly<Record<string, string>> | null
const rows: Array<[url: string, params: Params, kept: string]> = [
  ['/orders/7?page=2&q=tea', { id: '7' }, '/orders/7?page=2&q=tea'],
  ['/a?token=hunter2', null, '/a?token=[redacted]'],
  ['/a?ACCESS_TOKEN=hunter2&x=1', null, '/a?ACCESS_TOKEN=[redacted]&x=1'],
  ['/a?%74oken=hunter2', null, '/a?%74oken=[redacted]'],
  ['/a?%zz=hunter2', null, '/a?%zz=[redacted]'],
  ['/a?api_key=a=b=c', null, '/a?api_key=[redacted]'],
  ['/callback?code=hunter2&state=hunter2', null, '/callback?code=[redacted]&state=[redacted]'],
  ['/a?user[password]=hunter2', null, '/a?user[password]=[redacted]'],
  ['/a?', null, '/a?'],
  ['/reset/hunter2', { token: 'hunter2' }, '/reset/[redacted]'],
  ['/reset/hunter%32/x', { token: 'hunter2' }, '/reset/[redacted]/x'],
  ['/reset/Hunter2', { token: 'hunter2' }, '[redacted]'],
  ['/files/a/hunter2', { secret: 'a/hunter2' }, '[redacted]'],
  ['/reset/', { token: '' }, '/reset/'],
  ['*', null, '*']
]

/** Places of a recorded request in which a secret may stand; `hunter2` never stays. */
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.hunter2'
const hiding: Array<[place: string, url: string, routed?: boolean]> = [
  ['a parameter', '/a?pwd=hunter2'],
  ['a parameter by another word', '/a?passphrase=hunter2&ticket=hunter2&sid=hunter2'],
  ['a name that is encoded', '/a?p%61ssword=hunter2'],
  ['a name that cannot be read', '/a?%E0%A4%A=hunter2'],
  ['a list', '/a?login[password][]=hunter2'],
  ['behind a semicolon', '/a?x=1;token=hunter2'],
  ['a parameter of the path', '/a;jsessionid=hunter2/b'],
  ['a URL in a parameter', '/a?next=https%3A%2F%2Fx.example%2Freset%3Ftoken%3Dhunter2'],
  ['a URL in a URL in a parameter', '/a?next=%252Fb%253Fto%253D%25252Fc%25253Fcode%25253Dhunter2'],
  ['JSON in a parameter', '/a?filter={"user":{"password":"hunter2"}}'],
  ['JSON in a parameter, encoded', '/a?filter=%7B%22apiKey%22%3A%22hunter2%22%7D'],
  ['a form in a parameter', '/a?body=user%3Dann%26password%3Dhunter2'],
  ['a token without a name', `/a?${JWT}`],
  ['a token under an innocent name', `/a?q=${JWT}`],
  ['a token in the path', `/a/${JWT}/b`],
  ['credentials before a host', 'http://ann:hunter2@x.example/a'],
  ['a path that no route knows', '/reset/hunter2hunter2hunter2', false]
]
for (const [place, url, routed = true] of hiding) {
  t.test(`X7: no secret is kept of ${place}`, async (t) => {
    const kept = redactedUrl(url, null, routed)
    t.notMatch(kept, /hunter2/)
    t.match(kept, /\[redacted\]/)
  })
}

t.test('X7: no secret is kept of headers', async (t) => {
  const kept = keptHeaders({
    host: 'ann:x.example',
    origin: 'https://ann:hunter2@x.example',
    accept: `text/plain; token=hunter2; q=0.5`,
    'user-agent': `client/1.0 (Bearer hunter2) password="hunter2" ${JWT}`,
    'content-type': 'multipart/form-data; boundary=x',
    'proxy-authorization': 'Basic hunter2',
    'x-api-key': 'hunter2',
    'x-auth-token': 'hunter2',
    referer: 'https://x.example/?token=hunter2'
  })
  t.notMatch(JSON.stringify(kept), /hunter2/)
  t.match(kept, { 'content-type': 'multipart/form-data; boundary=x', 'x-api-key': '[redacted]' })
  t.match(kept['user-agent'], /^client\/1\.0/)
})

t.test('X7: what is no secret stays readable', async (t) => {
  for (const url of [
    '/orders/0193a5b2-7c1e-7d3a-9d3e-2b1c0d9e8f7a?page=2&sort=-createdAt',
    '/files/a%20b.txt?next=%2Forders%3Fpage%3D2',
    '/search?q=tea: green&filter={"price":{"$gt":5}}',
    '/a;v=1/b?x=1;y=2'
  ]) {
    t.equal(redactedUrl(url, null), url)
  }
  t.equal(redactedUrl('/ordres/7', null, false), '/ordres/7')
})

for (const [url, params, kept] of rows) {
  t.test(`${url} -> ${kept}`, async (t) => {
    t.equal(redactedUrl(url, params), kept)
  })
}

t.test('a long URL is cut', async (t) => {
  t.equal(redactedUrl(`/${'x'.repeat(5000)}?a=1`, null).length, 1024)
})

t.test('headers: a few whole, of credentials only that they came', async (t) => {
  const kept = keptHeaders({
    accept: '*/*',
    authorization: 'Bearer hunter2',
    cookie: 'a=hunter2',
    'user-agent': 'x'.repeat(1000),
    'x-own': 'hunter2'
  })
  t.strictSame(kept, {
    accept: '*/*',
    'user-agent': 'x'.repeat(256),
    authorization: '[redacted]',
    cookie: '[redacted]'
  })
})
