/** The application on SQLite, for `svc build`, which writes its map of routes. */
import svcOrm from 'svc-orm'
import svcSqlorm from 'svc-sqlorm'
import { conduitConfig, entities } from './conduit-app.ts'

export default conduitConfig([
  [svcOrm, { parts: { entities } }],
  [svcSqlorm, { connectors: { default: { url: 'sqlite::memory:' } } }]
])
