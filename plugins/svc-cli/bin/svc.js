#!/usr/bin/env node
/**
 * The `svc` command. Plain JavaScript that any Node can read: the version is
 * checked here, before anything that an old Node could not load. An installed
 * command keeps what Node compiles, of the application that it starts too.
 */
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

const needed = 24

if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(
    [
      `✖ SVC_NODE_VERSION  needs Node >= ${needed}, running ${process.versions.node}`,
      `  got ${process.versions.node}, expected >= ${needed}`,
      `  fix: install Node ${needed}`,
      '  more: npx svc-cli docs SVC_NODE_VERSION',
      ''
    ].join('\n')
  )
  process.exitCode = 1
} else {
  keepCompiled()
  import('../dist/src/index.js')
    .then(({ run }) => run(process.argv.slice(2)))
    .catch((error) => {
      process.stderr.write(`${error.stack}\n`)
      process.exitCode = 1
    })
}

/**
 * In the `node_modules` that the command lies in: who can write there can change the code itself. Where nobody can,
 * nothing is kept. A `NODE_COMPILE_CACHE` of the environment comes first, and `NODE_DISABLE_COMPILE_CACHE` forbids it.
 */
function keepCompiled() {
  const [, modules] = /^(.*[\\/]node_modules)[\\/]svc-cli[\\/]bin[\\/]/.exec(fileURLToPath(import.meta.url)) ?? []
  if (modules !== undefined) module.enableCompileCache(`${modules}/.cache/svc`)
}
