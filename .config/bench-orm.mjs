/**
 * `npm run bench:orm`: installs what the repositories are measured beside, from a lockfile of its own and out of reach
 * of the build, and runs the comparison.
 */
import { join } from 'node:path'
import { installIn, runAfterBootstrap } from './bootstrap.mjs'
import { root, runLive } from './run-step.mjs'

await runAfterBootstrap(async (node) => {
  await installIn(join(root, '.config', 'orm-rivals'), 'Drizzle, MikroORM and TypeORM')
  return runLive(node, [join(root, 'test', 'dist', 'bench', 'orm', 'run.js'), ...process.argv.slice(2)])
})
