/** The memory driver passes the suite that every driver passes. */
import t from 'tap'
import { ormConformance } from '../../src/conformance/index.ts'
import { memoryConnector } from '../../src/memory/memory-connector.ts'

await ormConformance(t, {
  open(entities) {
    const connector = memoryConnector()
    connector.prepare(entities)
    return connector
  }
})
