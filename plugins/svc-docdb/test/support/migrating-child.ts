/** Started by a test: begins a migration on the database that its argument names, and kills itself in its second batch. */
import { systemClock } from 'svc-kernel'
import { migrationTo } from './migration-database.ts'

const { database } = migrationTo(process.argv[2] ?? '', systemClock)
let seen = 0
await database.migrations.run({
  migrations: [
    {
      name: '1',
      checksum: 'as it was',
      async up(m) {
        await m.dropColumn('Article', 'old')
        await m.changeColumn(
          'Article',
          { name: 'stars', type: 'text' },
          { name: 'stars', type: 'integer' },
          {
            convert: (value) => {
              seen += 1
              if (seen > 1500) process.kill(process.pid, 'SIGKILL')
              return Number(value) + 1
            }
          }
        )
      },
      down: null
    }
  ],
  direction: 'up',
  steps: Number.POSITIVE_INFINITY,
  check: () => undefined
})
