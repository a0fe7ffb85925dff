/** An application of the preset `full` loads the package of the database that its address names, and no other. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Running, repository, svcBin } from '../support/svc-command.ts'
import { PresetApp } from './preset-app.ts'

const NOTE = join(repository, 'test/dist/support/note-loads.js')

/** What each address loads, with what it brings. */
const DATABASES = {
  'sqlite:data/loaded.db': ['svc-sqlorm', 'kysely'],
  'embedded:': ['svc-docdb', 'svc-docdb-embedded', 'mongoose', 'mongodb', '@fastify/mongodb']
}

t.test('each address loads its own database', async (t) => {
  const app = await PresetApp.create(t, 'full')
  for (const [address, expected] of Object.entries(DATABASES)) {
    const file = join(app.folder, `${expected[0]}.txt`)
    const running = new Running(process.execPath, ['--import', NOTE, svcBin, 'start'], {
      cwd: app.folder,
      env: { NODE_ENV: 'development', PORT: '0', DATABASE_URL: address, NOTE_LOADS: file }
    })
    t.teardown(() => running.stop('SIGKILL'))
    await running.shows(/is ready at/)
    await running.stop()
    const urls = readFileSync(file, 'utf8').split('\n')
    const loaded = new Set(urls.map((url) => /.*\/(?:node_modules|plugins)\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]))
    const databases = Object.values(DATABASES).flat()
    t.strictSame(
      databases.filter((name) => loaded.has(name)),
      expected,
      address
    )
  }
})
