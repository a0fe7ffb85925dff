/** Where a connector goes, and how that is shown. */
import t from 'tap'
import { connectionTarget } from '../../src/connection/connection-target.ts'
import type { ConnectorConfig } from '../../src/options.ts'

const defaults: ConnectorConfig = {
  host: 'localhost',
  port: 27_017,
  database: 'svc',
  embedded: false,
  selectionTimeoutMs: 3000,
  maxPoolSize: 100
}

const rows: [what: string, config: Partial<ConnectorConfig>, uri: string | null, expected: object][] = [
  ['the default', {}, null, { uri: 'mongodb://localhost:27017/svc', database: 'svc' }],
  ['host and port', { host: 'db', port: 1, database: 'x' }, null, { uri: 'mongodb://db:1/x', database: 'x' }],
  ['an IPv6 address', { host: '::1' }, null, { uri: 'mongodb://[::1]:27017/svc' }],
  [
    'its own address',
    { uri: 'mongodb://a,b/y?replicaSet=r' },
    null,
    { uri: 'mongodb://a,b/y?replicaSet=r', database: 'y' }
  ],
  ['an address without a database', { uri: 'mongodb://a' }, null, { uri: 'mongodb://a/svc', database: 'svc' }],
  ['with a slash', { uri: 'mongodb://a/?tls=true' }, null, { uri: 'mongodb://a/svc?tls=true' }],
  ['with credentials', { uri: 'mongodb://u:p@a' }, null, { uri: 'mongodb://u:p@a/svc?authSource=admin' }],
  [
    'with a source of its own',
    { uri: 'mongodb://u:p@a/?authSource=b' },
    null,
    { uri: 'mongodb://u:p@a/svc?authSource=b' }
  ],
  [
    'with a mechanism',
    { uri: 'mongodb://u@a/?authMechanism=MONGODB-X509' },
    null,
    { uri: 'mongodb://u@a/svc?authMechanism=MONGODB-X509' }
  ],
  ['with both', { uri: 'mongodb://u:p@a/?w=1' }, null, { uri: 'mongodb://u:p@a/svc?w=1&authSource=admin' }],
  ['the environment wins', { uri: 'mongodb://a/b' }, 'mongodb://e/f', { uri: 'mongodb://e/f', database: 'f' }],
  ['an encoded name', { uri: 'mongodb://a/b%2Dc' }, null, { database: 'b-c' }]
]

for (const [what, config, uri, expected] of rows) {
  t.test(what, async (t) => {
    t.match(connectionTarget({ ...defaults, ...config }, uri), expected)
  })
}

t.test('what is shown has no credentials', async (t) => {
  const { shown } = connectionTarget(defaults, 'mongodb://root:pass%40word@a:1,b:2/x?replicaSet=r')
  t.match(shown, /a:1,b:2/)
  t.notMatch(shown, /root|pass|word/)
})
