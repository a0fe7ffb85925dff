/**
 * `npm run types`: proves the published types with tstyche (`plugins/<name>/test/types/*.tst.ts`).
 *
 * tstyche drives the compiler from JavaScript, which TypeScript 7 does not offer, so a TypeScript 6 is installed for it
 * in `.config/type-tests`, from a lockfile of its own and out of reach of the build.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installIn, runAfterBootstrap } from './bootstrap.mjs'
import { root, runLive } from './run-step.mjs'

const folder = join(root, '.config', 'type-tests')

await runAfterBootstrap(async (node) => {
  await installIn(folder, 'TypeScript 6 for the type tests')
  const compiler = join(folder, 'node_modules', 'typescript', 'lib', 'typescript.js')
  process.env.TSTYCHE_TYPESCRIPT_MODULE = pathToFileURL(compiler).href
  const tstyche = join(root, 'node_modules', 'tstyche', 'dist', 'bin.js')
  return runLive(node, [tstyche, '--root', root, '--config', join(folder, 'tstyche.json'), ...process.argv.slice(2)])
})
