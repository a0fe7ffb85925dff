/**
 * `npm start`: sets the repository up, lays the demonstration down in `.demo/` the first time, and serves it with hot reload
 * on port 5151 (or `PORT`), with an administrator of this start. `npm start -- minimal` does the same with the small
 * application, in `.demo-minimal/`. What else follows `--` goes to `svc dev`; `--root` names another folder for it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runAfterBootstrap } from './bootstrap.mjs'
import { root, runLive, runQuietStep } from './run-step.mjs'

const svc = join(root, 'plugins', 'svc-cli', 'bin', 'svc.js')

const given = process.argv.slice(2)
const preset = given[0] === 'minimal' ? given.shift() : 'full'
const at = given.indexOf('--root')
const [, named] = at === -1 ? [] : given.splice(at, 2)
const folder = named ?? (preset === 'minimal' ? '.demo-minimal' : '.demo')
const manifest = resolve(root, folder, 'package.json')

/** A database that the shell happens to name is not for a demonstration; `.demo/.env` may name one. */
const foreign = ['DATABASE_URL', 'SVC_DATABASE_URL', 'DOCDB_URI', 'NODE_ENV']

await runAfterBootstrap(async (node) => {
  if (!existsSync(manifest)) {
    const create = [svc, 'create', 'app', 'demo', '--preset', preset, '--dir', folder]
    await runQuietStep(`creating the application in ${folder}`, node, create)
  }
  const admin = preset === 'full' && hasConsole() ? ['--admin', 'admin'] : []
  const without = Object.fromEntries(foreign.map((name) => [name, undefined]))
  return runLive(node, [svc, 'dev', '--root', folder, ...admin, ...given], { env: without })
})

/** Earlier versions laid the small application down in `.demo/`: it may have been edited, and is served as it is. */
function hasConsole() {
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
  if ('svc-console' in dependencies) return true
  process.stderr.write(
    `setup: ${folder} is the small application of an earlier version, and is served as it is\n` +
      `  fix: to see the whole demonstration, rename or delete the folder ${folder} and start again\n`
  )
  return false
}
