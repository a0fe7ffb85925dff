/**
 * `svc module:add` edits each config that a preset writes, for each module that it does not list; the result loads.
 * In the long run: it loads every preset with every module.
 *
 * In a process of its own: each application is loaded from its folder, which becomes the current one.
 */
import t from 'tap'
import { addModule } from '../../src/modules/add-module.ts'
import { KNOWN_MODULES } from '../../src/modules/known-modules.ts'
import { createdApp } from '../support/sandbox.ts'
import { runSvc } from '../support/svc-process.ts'

process.env.NODE_ENV = 'development'

/** Each preset on each of its databases, which are kept in memory. */
const PRESETS = {
  minimal: 'none',
  api: 'sqlite::memory:',
  full: 'sqlite::memory:',
  'full --database documents': 'embedded:'
}

for (const [preset, address] of Object.entries(PRESETS)) {
  t.test(`preset ${preset}`, async (t) => {
    process.env.DATABASE_URL = address
    const root = await createdApp(t, preset)
    for (const word of Object.keys(KNOWN_MODULES)) {
      try {
        await addModule(word, { root, color: false, dryRun: true })
        t.pass(word)
      } catch (error) {
        t.match(error, { problems: [{ code: 'SVC_MODULE_LISTED' }] }, `${word}: ${(error as Error).message}`)
      }
    }
    const added = await runSvc(['module:add', 'test'], { cwd: root })
    t.equal(added.code, 0, added.stderr)
    const checked = await runSvc(['config:check'], { cwd: root })
    t.equal(checked.code, 0, checked.stderr + checked.stdout)
  })
}
