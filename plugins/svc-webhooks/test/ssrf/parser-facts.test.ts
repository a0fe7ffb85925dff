/** What the URL parser makes of odd hosts. The guard judges its result, so a change of the parser is to be seen here. */
import t from 'tap'
import { checkUrlForm } from '../../src/ssrf/url-guard.ts'

const hostOf = (text: string) => checkUrlForm(text, { allowHttp: false }).hostname

const hosts: readonly [url: string, host: string][] = [
  ['https://0/', '0.0.0.0'],
  ['https://0x/', '0.0.0.0'],
  ['https://0x.0x.0/', '0.0.0.0'],
  ['https://0000127.0.0.1/', '87.0.0.1'],
  ['https://2130706433/', '127.0.0.1'],
  ['https://0x7f.1/', '127.0.0.1'],
  ['https://127.0.0.1./', '127.0.0.1'],
  ['https://127.0.0.1../', '127.0.0.1..'],
  ['https://%31%32%37.0.0.1/', '127.0.0.1'],
  ['https://１２７.0.0.1/', '127.0.0.1'],
  ['https://①②⑦.0.0.1/', '127.0.0.1'],
  ['https://127。0。0。1/', '127.0.0.1'],
  ['https://127.0\u00ad.0.1/', '127.0.0.1'],
  ['https://127.0\u200b.0.1/', '127.0.0.1'],
  ['https://localhost%2e/', 'localhost.'],
  ['https://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
  ['https:hooks.example.com', 'hooks.example.com'],
  ['https:///hooks.example.com', 'hooks.example.com'],
  ['https:\\\\hooks.example.com', 'hooks.example.com']
]

for (const [url, host] of hosts) t.equal(hostOf(url), host, JSON.stringify(url))

const refused: readonly [url: string, reason: string][] = [
  ['', 'url'],
  ['hooks.example.com', 'url'],
  ['https://', 'url'],
  ['https://[::1%25lo]/', 'url'],
  ['https://١٢٧.0.0.1/', 'url'],
  ['https://hooks.exa\tmple.com/', 'url'],
  ['https://hooks.example.com/\u0000', 'url'],
  ['\u0001https://hooks.example.com/', 'url'],
  [' https://hooks.example.com/', 'url'],
  ['https://hooks.example.com/ ', 'url'],
  ['http://hooks.example.com/', 'scheme'],
  ['ws://hooks.example.com/', 'scheme'],
  ['blob:https://hooks.example.com/1', 'scheme'],
  ['https://user@hooks.example.com/', 'credentials'],
  ['https://:@hooks.example.com/', 'credentials'],
  ['https://@hooks.example.com/', 'credentials'],
  ['https:@hooks.example.com/', 'credentials'],
  ['https:\\\\@hooks.example.com/', 'credentials']
]

for (const [url, reason] of refused)
  t.throws(() => hostOf(url), { code: 'SVC_WEBHOOKS_URL_REFUSED', reason }, JSON.stringify(url))

t.test('an at sign behind the host is no credential', async (t) => {
  for (const rest of ['/a@b', '?a@b', '#a@b', '\\a@b']) {
    t.equal(hostOf(`https://hooks.example.com${rest}`), 'hooks.example.com')
  }
})

t.test('http passes where it is allowed, and nothing else does', async (t) => {
  t.equal(checkUrlForm('http://hooks.example.com:8080/a', { allowHttp: true }).port, '8080')
  t.throws(() => checkUrlForm('ftp://hooks.example.com/', { allowHttp: true }), {
    code: 'SVC_WEBHOOKS_URL_REFUSED',
    reason: 'scheme'
  })
})
