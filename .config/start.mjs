/**
 * `npm start`: sets the repository up, lays the template application down in `.demo/` the first time, and serves it
 * with hot reload on port 5151 (or `PORT`). What follows `--` goes to `svc dev`.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runAfterBootstrap } from './bootstrap.mjs'
import { root, runLive, runQuietStep } from './run-step.mjs'

const svc = join(root, 'plugins', 'svc-cli', 'bin', 'svc.js')
const demo = join(root, '.demo')

await runAfterBootstrap(async (node) => {
  if (!existsSync(join(demo, 'svc.config.ts'))) {
    await runQuietStep('creating the demo application in .demo', node, [svc, 'create', 'app', 'demo', '--dir', '.demo'])
  }
  return runLive(node, [svc, 'dev', ...process.argv.slice(2)], { cwd: demo })
})
