/** What holds where nothing is set. */
import { readOptions } from 'svc-kernel'
import t from 'tap'
import { connectionTarget } from '../src/connection/connection-target.ts'
import { type DocdbConfig, optionsSchema } from '../src/options.ts'

t.test('the module without options', async (t) => {
  const { connectors, ...config } = readOptions<DocdbConfig>('svc-docdb', optionsSchema)
  t.strictSame(config, { debug: false, frameworkEntities: true })
  t.strictSame(Object.keys(connectors), ['svc'])
  const [connector] = Object.values(connectors)
  t.match(connector && connectionTarget(connector, null), { uri: 'mongodb://localhost:27017/svc', database: 'svc' })
})
