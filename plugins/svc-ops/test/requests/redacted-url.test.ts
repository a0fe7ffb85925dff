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
