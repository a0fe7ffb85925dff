/** An application whose every record is a row of SQLite: what it knew before it was stopped, it knows afterwards. */
import svcSqlorm from 'svc-sqlorm'
import t from 'tap'
import { survivesRestart } from './restart-scenario.ts'

t.test('everything survives a restart of the application', (t) =>
  survivesRestart(t, {
    name: 'sqlorm',
    store: 'sqlorm',
    module: (folder, clock) => [
      svcSqlorm,
      { connectors: { default: { url: `sqlite:${folder}/shop.db` } }, parts: { clock } }
    ]
  })
)
