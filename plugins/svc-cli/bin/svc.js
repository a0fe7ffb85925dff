#!/usr/bin/env node
/**
 * The `svc` command. Plain JavaScript that any Node can read: the version is
 * checked here, before anything that an old Node could not load.
 */
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
  import('../dist/src/index.js')
    .then(({ run }) => run(process.argv.slice(2)))
    .catch((error) => {
      process.stderr.write(`${error.stack}\n`)
      process.exitCode = 1
    })
}
