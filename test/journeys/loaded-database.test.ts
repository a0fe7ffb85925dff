/**
 * An application of the preset `full` loads, and names, the packages of the database it was created for, and no other.
 * In the long run: it starts an application for each database.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Running, repository, svcBin } from '../support/svc-command.ts'
import { PresetApp } from './preset-app.ts'

const NOTE = join(repository, 'test/dist/support/note-loads.js')

/** What each loads, with what it brings. */
const DATABASES = {
  full: ['svc-sqlorm', 'kysely'],
  'full --database documents': ['svc-docdb', 'svc-docdb-embedded', 'mongoose', 'mongodb', '@fastify/mongodb']
}

t.test('each loads its own database', async (t) => {
  const databases = Object.values(DATABASES).flat()
  for (const [preset, expected] of Object.entries(DATABASES)) {
    const app = await PresetApp.create(t, preset)
    const { dependencies } = JSON.parse(readFileSync(join(app.folder, 'package.json'), 'utf8'))
    t.notOk(
      databases.some((name) => !expected.includes(name) && name in dependencies),
      `${preset}: package.json`
    )
    const file = join(app.folder, `${expected[0]}.txt`)
    const running = new Running(process.execPath, ['--import', NOTE, svcBin, 'start'], {
      cwd: app.folder,
      env: { NODE_ENV: 'development', PORT: '0', NOTE_LOADS: file }
    })
    t.teardown(() => running.stop('SIGKILL'))
    await running.shows(/is ready at/)
    await running.stop()
    const urls = readFileSync(file, 'utf8').split('\n')
    const loaded = new Set(urls.map((url) => /.*\/(?:node_modules|plugins)\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]))
    t.strictSame(
      databases.filter((name) => loaded.has(name)),
      expected,
      preset
    )
  }
})
