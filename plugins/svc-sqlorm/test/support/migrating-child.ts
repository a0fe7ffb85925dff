/** Started by a test: begins a migration on the database that its argument names, and kills itself in the middle. */
import { unopenedDatabase } from './open-connector.ts'

const { database } = unopenedDatabase(process.argv[2] ?? '')
await database.migrations.run({
  migrations: [
    { name: '1', checksum: 'a', up: async () => undefined, down: null },
    {
      name: '2',
      checksum: 'b',
      async up(m) {
        await m.addColumn('Article', { name: 'sku', type: 'text' }, { fill: 'x' })
        process.kill(process.pid, 'SIGKILL')
        await new Promise(() => undefined)
      },
      down: null
    }
  ],
  direction: 'up',
  steps: Number.POSITIVE_INFINITY,
  check: () => undefined
})
