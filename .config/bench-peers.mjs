/**
 * `npm run bench:peers`: installs what applications are measured beside, from a lockfile of its own and out of reach of
 * the build, compiles the application on NestJS, and runs the comparison.
 */
import { join } from 'node:path'
import { installIn, runAfterBootstrap } from './bootstrap.mjs'
import { root, runLive, runQuietStep } from './run-step.mjs'

await runAfterBootstrap(async (node) => {
  const peers = join(root, '.config', 'peers')
  await installIn(peers, 'NestJS, AdonisJS and Hono')
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await runQuietStep('compiling the application on NestJS', node, [compiler, '-p', join(peers, 'nest')])
  return runLive(node, [join(root, 'test', 'dist', 'bench', 'peers', 'run.js'), ...process.argv.slice(2)])
})
