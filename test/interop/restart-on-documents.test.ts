/**
 * An application whose every record is a document: what it knew before it and its
 * engine were stopped, it knows afterwards, and all of it works on.
 */
import svcDocdb from 'svc-docdb'
import t from 'tap'
import { survivesRestart } from './restart-scenario.ts'

t.test('everything survives a restart of application and engine', (t) =>
  survivesRestart(t, {
    name: 'docdb',
    store: 'docdb',
    module: (folder, clock) => [
      svcDocdb,
      { connectors: { svc: { embedded: true, file: `${folder}/shop.db` } }, parts: { clock } }
    ]
  })
)
